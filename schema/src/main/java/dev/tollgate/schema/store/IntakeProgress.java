package dev.tollgate.schema.store;

import java.time.Instant;

/**
 * How far intake of one partition has come, by the database's own account.
 *
 * @param nextOffset every record before it is durable
 * @param at when that was written down, by the database's clock
 */
public record IntakeProgress(long nextOffset, Instant at) {}
