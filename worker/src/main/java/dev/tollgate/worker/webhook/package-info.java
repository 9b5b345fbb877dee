/**
 * What providers report by themselves.
 *
 * <p><b>Flow.</b> A request comes to {@code /callbacks/{provider}/{operation}/{mac}}, an address
 * that a create carried, or to {@code /webhooks/{provider}}, one that the provider was given once.
 * Its size and its time are bounded while it is read; its sender is verified over the raw bytes;
 * then the event is one row of the inbox, once for its id, and only then the answer is 204. Without
 * the database it is 503, and the provider comes again. A reader takes events from the inbox and
 * tells whom they concern.
 *
 * <p><b>An event decides nothing.</b> It is evidence, and a reason to ask the provider now instead
 * of later. What it says about a task's state is compared with how its operation ended, and no
 * more; the state itself comes from the provider's answer to the status call that follows. So the
 * order and the number of events do not matter, a signature that a provider does not offer is not
 * missed, and whoever forges an event learns and changes nothing. The price is one call for each
 * event that is new.
 *
 * <p><b>Which operation.</b> A callback's address names it and proves that its bearer had it from
 * us: the last part is an HMAC under a key that only the installation's secret gives. Else the
 * submission key does, where the descriptor says that a signed event names it: before the create's
 * answer, or instead of it. Else the remote id does; an event that comes before its task is known
 * waits until it is, or is looked at again with growing pauses and given up in the end: it may be
 * somebody else's on the same account.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.webhook;
