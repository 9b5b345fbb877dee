package dev.tollgate.schema.store;

import java.time.Duration;

/**
 * How many operations of one provider wait for the same thing.
 *
 * @param forWhat {@code claim} for being sent, {@code look} for somebody to find out what became of
 *     them, {@code follow} for their remote task to end, {@code person} for a person
 * @param oldest how long the first of them has been in its state
 */
public record Waiting(String provider, String forWhat, long count, Duration oldest) {}
