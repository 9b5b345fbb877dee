package dev.tollgate.loadtest.demo;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * One thing that happens to one worker.
 *
 * @param kind what
 * @param worker its index
 * @param after time since the strike before was over
 * @param out how long the worker is away
 */
record Strike(Kind kind, int worker, Duration after, Duration out) {
  enum Kind {
    KILL("worker/kill"),
    FREEZE("worker/freeze");

    private final String fault;

    Kind(String fault) {
      this.fault = fault;
    }

    /** The name under which it is counted. */
    String fault() {
      return fault;
    }
  }

  /** The first strikes take turns, so that a short run has both kinds. */
  private static final int TURNS = 4;

  /** The strike of a number in a run: the same seed and number give the same strike. */
  static Strike of(long seed, int number, int workers, Duration lease) {
    SplittableRandom random = new SplittableRandom(seed * 31 + number);
    random.nextLong(); // neighbouring seeds begin alike
    boolean kill = number < TURNS ? number % 2 == 0 : random.nextBoolean();
    int worker = random.nextInt(workers);
    Duration after = Duration.ofMillis(random.nextLong(500, 2500));
    return kill
        ? new Strike(Kind.KILL, worker, after, Duration.ofMillis(random.nextLong(100, 2000)))
        : new Strike(
            Kind.FREEZE, worker, after, lease.plus(Duration.ofMillis(random.nextLong(500, 4000))));
  }
}
