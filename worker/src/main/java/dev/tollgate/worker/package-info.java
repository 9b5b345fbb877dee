/**
 * A worker: takes requests in, claims operations, sends each once, records what came of it, and
 * follows accepted tasks to their outputs.
 *
 * <p>Rooms: {@code intake} (Kafka to PostgreSQL), {@code gate} (Redis, for speed only), {@code
 * send} (claims, slots, one send), {@code provider} (the wire and what it proves), {@code write}
 * (changes in batches), {@code follow} (status and outputs), {@code reading} (streams, for their
 * readers), {@code watch} (backlog and clock), {@code metrics}, {@code loop}. {@link
 * dev.tollgate.worker.Worker} wires them.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker;
