/**
 * The speed benchmark: how many operations per second go from a record in Kafka to a stored
 * acceptance, and how much CPU each process spends on them, beside a consumer that guards nothing
 * and sends with the same HTTP client.
 *
 * <p>All processes run on one machine with {@code fsync} and synchronous commit on; the sandbox
 * answers after 5 ms and misbehaves never. Each round fills a fresh topic, then starts the consumer
 * under test on a fresh database, and reads how far it got from the sandbox's own counts. Rates on
 * shared cores drift: the ratio of a round's two halves and the CPU milliseconds per 1,000
 * operations are what to compare. Completion is not part of it: tasks are first asked about an hour
 * later.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.loadtest.bench;
