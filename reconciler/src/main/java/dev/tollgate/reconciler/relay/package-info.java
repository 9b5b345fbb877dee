/**
 * The outbox relay: what changed, told to other processes through Kafka.
 *
 * <p>Rows are published, and deleted when the broker has acknowledged them; no transaction spans
 * the two. A relay that dies in between publishes a row again: the event's id is the same and
 * consumers drop it. One relay of the fleet works at a time, to save effort; two at once would only
 * repeat each other.
 *
 * <p>Chunks of streams have a relay, a duty and a loop of their own, with a shorter pause: somebody
 * waits for each of them, and a thousand of them must not stand before the word that an operation
 * ended, nor that word behind them.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.reconciler.relay;
