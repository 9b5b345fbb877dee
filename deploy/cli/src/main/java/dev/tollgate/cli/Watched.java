package dev.tollgate.cli;

import dev.tollgate.cli.local.ChildFailed;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Something that is started again when it dies, unless it dies again and again. Not thread-safe.
 */
final class Watched {
  private static final int DEATHS_MAX = 3;
  private static final Duration WINDOW = Duration.ofMinutes(1);

  /** What is watched: a process of ours, or a server. */
  interface Subject {
    String name();

    boolean isAlive();

    /** How it ended, in words that follow its name. */
    String end();

    /**
     * Starts it again.
     *
     * @return what kept it from starting, empty if nothing did
     */
    Optional<String> start();
  }

  private final Subject subject;
  private final Consumer<String> say;
  private final BooleanSupplier stopping;
  private final LongSupplier nanoTime;
  private int deaths;
  private long firstDeathNanos;

  /**
   * @param stopping whether everything is being stopped: then nothing is started again
   */
  Watched(Subject subject, Consumer<String> say, BooleanSupplier stopping, LongSupplier nanoTime) {
    this.subject = subject;
    this.say = say;
    this.stopping = stopping;
    this.nanoTime = nanoTime;
  }

  /**
   * Starts it again if it has ended.
   *
   * @throws ChildFailed when that happens too often
   */
  void look() {
    if (subject.isAlive() || stopping.getAsBoolean()) {
      return;
    }
    String end = subject.name() + " " + subject.end();
    count(end);
    say.accept(end);
    say.accept("starting " + subject.name() + " again");
    subject.start().ifPresent(say); // then it is still dead: the next look counts that
  }

  private void count(String end) {
    long now = nanoTime.getAsLong();
    if (deaths == 0 || now - firstDeathNanos > WINDOW.toNanos()) {
      deaths = 0;
      firstDeathNanos = now;
    }
    deaths++;
    if (deaths > DEATHS_MAX) {
      throw new ChildFailed("it died %d times within a minute: %s".formatted(deaths, end));
    }
  }
}
