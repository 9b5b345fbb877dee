package dev.tollgate.schema.store;

import java.time.Duration;

/**
 * What evidence says of an accepted operation whose output was not to be had.
 *
 * @param times how often that was recorded since the operation was accepted
 * @param age for how long, by the database's clock; zero where it never was
 */
public record OutputTrouble(int times, Duration age) {}
