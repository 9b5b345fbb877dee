package dev.tollgate.schema.store;

import java.time.Duration;
import java.util.List;

/**
 * How many operations of one provider wait for the same thing.
 *
 * @param provider its name; empty for events, which are counted for all providers together
 * @param forWhat {@code claim} for being sent, {@code look} for somebody to find out what became of
 *     them, {@code follow} for their remote task to end, {@code person} for a person; {@code relay}
 *     for events that nobody has published yet
 * @param unknown whether it is not known what became of them
 * @param oldest how long the first of them has been in its state
 * @param due how many could be taken up now
 * @param younger how many have been in their state for less than each of {@link #AGES}
 */
public record Waiting(
    String provider,
    String forWhat,
    boolean unknown,
    long count,
    Duration oldest,
    long due,
    List<Long> younger) {

  /** The ages by which they are counted. */
  public static final List<Duration> AGES =
      List.of(
          Duration.ofMinutes(1), Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofDays(1));

  public Waiting {
    younger = List.copyOf(younger);
  }
}
