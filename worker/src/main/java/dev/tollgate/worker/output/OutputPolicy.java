package dev.tollgate.worker.output;

import java.time.Duration;

/**
 * How outputs are stored.
 *
 * @param bytesMax longest output that is stored
 * @param again when an output that could not be stored is tried again
 */
public record OutputPolicy(long bytesMax, Duration again) {}
