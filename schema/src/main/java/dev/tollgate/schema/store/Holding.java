package dev.tollgate.schema.store;

import java.time.Instant;

/**
 * What one worker is sending to one provider.
 *
 * @param owner the worker's name, as in its attempts
 * @param sending how many operations, at least 1
 * @param overdue how many of them under leases that are over: the sweep makes them unknown
 * @param until when the last of the leases is over
 */
public record Holding(String owner, String provider, int sending, int overdue, Instant until) {}
