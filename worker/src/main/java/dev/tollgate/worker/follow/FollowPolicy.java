package dev.tollgate.worker.follow;

import java.time.Duration;

/**
 * How accepted tasks are followed.
 *
 * @param paceLeast shortest time between two questions about one task
 * @param paceMost longest time between two questions about one task
 * @param concurrency most questions under way at one provider
 */
public record FollowPolicy(Duration paceLeast, Duration paceMost, int concurrency) {}
