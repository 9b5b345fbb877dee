package dev.tollgate.worker.follow;

import java.time.Duration;

/**
 * How accepted tasks are followed.
 *
 * @param paceLeast shortest time between two questions about one task
 * @param paceMost longest time between two questions about one task
 * @param again when an output that could not be stored is tried again
 * @param outputBytesMax longest output that is stored
 * @param concurrency most questions under way at one provider
 */
public record FollowPolicy(
    Duration paceLeast, Duration paceMost, Duration again, long outputBytesMax, int concurrency) {}
