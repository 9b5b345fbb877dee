/**
 * Dead letters: read where they lie, sent back to the topic they came from, or marked as not
 * wanted.
 *
 * <p><b>Model.</b> A letter's place (Kafka's id of its topic, partition, offset) is its identity,
 * and its record stays where it is. What was decided about it is a row of the database ({@link
 * dev.tollgate.schema.store.DeadLetterRuns}), made by a run: one replay or discard that somebody
 * typed. A {@link dev.tollgate.cli.dlt.Plan} says which letters a run goes through, a {@link
 * dev.tollgate.cli.dlt.Judge} foretells what would come of each if it were sent, and {@link
 * dev.tollgate.cli.dlt.Work} claims a few, sends, and records.
 *
 * <p><b>Promises.</b> Reading commits no offset and changes nothing. A replay sends key, value and
 * the producer's own headers as they were, to the topic that the configuration names and never to
 * one that a header names. It counts itself in a header, up to a limit, and cannot cause a second
 * send to a provider: the operation key decides. Copies of one message (same key, same value) are
 * replayed once. A letter is claimed before it is sent, so two runs never send the same one. What
 * is on record already is not sent: its letter is settled with what is on record.
 *
 * <p><b>When things fail.</b> A run stops at the first record that is not acknowledged; what was
 * sent until then is recorded, and the run can be gone on with. A process that dies leaves letters
 * claimed which may have been sent or not, about as many as it sends in a second: whoever resumes
 * the run sends them again, unless their operation is known by then. A process that is thought dead
 * and comes back claims nothing more.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.cli.dlt;
