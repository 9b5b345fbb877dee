/**
 * The speed benchmark: how many operations per second go from a record in Kafka to a stored
 * acceptance that others have been told of, and how much CPU each process spends on them, beside a
 * consumer that guards nothing: it sends with the same HTTP client and publishes the same event of
 * what came of it. One that only sends and keeps the answer to itself is measured as well: nobody
 * could use it, but it is the least that a send costs.
 *
 * <p>All processes run on one machine with {@code fsync} and synchronous commit on; the sandbox
 * answers after 5 ms and misbehaves never. Each part of a round fills a fresh topic, then starts
 * the consumer under test on a fresh database of a server that has been in use ({@link
 * dev.tollgate.loadtest.bench.UsedServer}), and reads how far it got from the sandbox's own counts.
 * Rates on shared cores drift: the ratios within a round and the CPU milliseconds per 1,000
 * operations are what to compare. Completion is not part of it: tasks are first asked about an hour
 * later.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.loadtest.bench;
