/**
 * The ladder: what can be asked about an unknown operation, cheapest first, and what an answer
 * proves.
 *
 * <ol>
 *   <li>Evidence already here: a remote id that a late or odd answer named. The provider confirms
 *       it by its status call. One that it does not know after the horizon, where nothing else
 *       decides, is for a person.
 *   <li>A look-up by client reference, where the provider has one.
 *   <li>A search of the provider's list between the first attempt and now. A task fits only if
 *       everything it was asked for is the same; a task that another operation holds does not fit;
 *       and where another open operation asked for the very same thing, one fitting task could be
 *       either's.
 *   <li>A resend under the same key, where the provider documents that it gives the first task's
 *       answer, and the promise still covers this moment.
 * </ol>
 *
 * <p>A task that is seen is found, at any time. That none is seen proves something only after the
 * horizon (rule 7), and only if all there was to see was seen. Not here yet: what a webhook told
 * after a timeout, and what a bill shows.
 *
 * <p>Refused on purpose: deciding by time or prompt alone; taking the only candidate where two
 * operations are open that it fits; reading "not found" from a status call as absence; sending
 * again because nothing else is left.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.reconciler.ladder;
