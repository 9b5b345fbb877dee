/**
 * The outbox relay: what changed, told to other processes through Kafka.
 *
 * <p>Rows are published, and deleted when the broker has acknowledged them; no transaction spans
 * the two. A relay that dies in between publishes a row again: the event's id is the same and
 * consumers drop it. One relay of the fleet works at a time, to save effort; two at once would only
 * repeat each other.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.reconciler.relay;
