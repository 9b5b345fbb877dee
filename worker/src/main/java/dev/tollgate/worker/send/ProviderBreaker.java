package dev.tollgate.worker.send;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tollgate.worker.send.OutcomeWindow.Health;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a provider alone when its answers get bad, and comes back to it slowly.
 *
 * <p>It opens on a rise of unknowns or of throttling among the latest outcomes. Open, nothing is
 * claimed; after a pause it is half open and lets one send through, then two, four, each time as
 * many good answers as there were slots doubled them. A round whose share of bad answers reaches
 * what opens it opens it again, for twice as long. A worker that starts widens in the same steps,
 * from a share of its slots.
 *
 * <p>A pure state machine over times that it is given: no clock, no timer, no log. Thread-safe.
 */
final class ProviderBreaker {

  /** How much is let through. The order is that of severity, and of the metric's numbers. */
  enum State {
    CLOSED,
    /** A worker that began lately; widens. */
    STARTING,
    /** Tries the provider again; widens. */
    HALF_OPEN,
    OPEN
  }

  /**
   * A change of state.
   *
   * @param why for people
   * @param cause what opened it, a word with few values; empty where it did not open
   */
  record Turn(State from, State to, String why, String cause) {}

  private final BreakerPolicy policy;
  private final int slots;
  private final boolean held;
  private final RandomGenerator random;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final OutcomeWindow window;

  @GuardedBy("lock")
  private State state = State.STARTING;

  /** What opened it last; empty before. */
  @GuardedBy("lock")
  private String cause = "";

  /** Most sends at once; of no meaning while open. */
  @GuardedBy("lock")
  private int width;

  /** Sends asked for before this moment say nothing about the provider as it is now. */
  @GuardedBy("lock")
  private long countsFrom;

  @GuardedBy("lock")
  private long pauseNanos;

  /** While open, the end of the pause. */
  @GuardedBy("lock")
  private long until;

  /** How many answers are a round: as many as there are slots that can be used in it. */
  @GuardedBy("lock")
  private int round;

  /** Of the round under way. */
  @GuardedBy("lock")
  private int answers;

  @GuardedBy("lock")
  private int unknown;

  @GuardedBy("lock")
  private int throttled;

  /**
   * @param slots how many sends the provider takes at once when it is well
   * @param held whether a slot stays in use when its send was answered, as that of a stream does:
   *     then only the slots that a round adds can be answered in the next one
   * @param random for jitter, so that workers do not come back together
   */
  ProviderBreaker(BreakerPolicy policy, int slots, boolean held, long now, RandomGenerator random) {
    this.held = held;
    this.policy = policy;
    this.slots = slots;
    this.random = random;
    this.window = new OutcomeWindow(policy.window(), policy.within());
    this.width = policy.startWidth(slots);
    this.round = width;
    this.countsFrom = now;
    if (width >= slots) {
      this.state = State.CLOSED;
    }
  }

  State state() {
    synchronized (lock) {
      return state;
    }
  }

  /** What opened it last, a word with few values; empty where it never opened. */
  String cause() {
    synchronized (lock) {
      return cause;
    }
  }

  /** Most sends at once. */
  int width() {
    synchronized (lock) {
      return switch (state) {
        case CLOSED -> slots;
        case OPEN -> 0;
        case STARTING, HALF_OPEN -> width;
      };
    }
  }

  /** Half opens it where its pause is over. */
  @Nullable Turn tick(long now) {
    synchronized (lock) {
      if (state != State.OPEN || now - until < 0) {
        return null;
      }
      width = 1;
      round = 1;
      countsFrom = now;
      window.clear();
      beginRound();
      return turn(State.HALF_OPEN, "its pause is over", "");
    }
  }

  /**
   * Takes an outcome.
   *
   * @param asked when its claim was asked for
   * @return the change of state that it caused, if any
   */
  @Nullable Turn heard(Health health, long asked, long now) {
    synchronized (lock) {
      if (state == State.OPEN || asked - countsFrom < 0) {
        return null;
      }
      window.add(health, now);
      return switch (state) {
        case CLOSED -> openByWindow(now);
        case STARTING -> {
          Turn opened = openByWindow(now);
          yield opened == null && health == Health.GOOD ? widen(health) : opened;
        }
        case HALF_OPEN -> {
          Turn widened = widen(health);
          yield widened == null ? openByRound(health, now) : widened;
        }
        case OPEN -> null;
      };
    }
  }

  @GuardedBy("lock")
  private @Nullable Turn openByWindow(long now) {
    int size = window.size();
    return size < policy.outcomesMin()
        ? null
        : openIfBad(window.unknown(), window.throttled(), size, policy.pause().toNanos(), now);
  }

  /* One unknown among the first one or two sends is enough; with more, the share that opens it. */
  @GuardedBy("lock")
  private @Nullable Turn openByRound(Health health, long now) {
    // what is refused is put off for long: the next ones may be other requests, and are not to wait
    // for hours behind it
    long pause = health == Health.REFUSED ? policy.pause().toNanos() : pauseNanos * 2;
    return openIfBad(unknown, throttled, round, Math.min(pause, policy.pauseMax().toNanos()), now);
  }

  @GuardedBy("lock")
  private @Nullable Turn openIfBad(int lost, int refused, int of, long pause, long now) {
    boolean byUnknown = policy.tooManyUnknown(lost, of);
    if (!byUnknown && !policy.tooManyThrottled(refused, of)) {
      return null;
    }
    pauseNanos = pause;
    until = now + pause + random.nextLong(pause / 5 + 1);
    return byUnknown
        ? turn(State.OPEN, lost + " of " + of + " sends are unknown", "unknown")
        : turn(State.OPEN, refused + " of " + of + " sends were throttled or refused", "throttled");
  }

  /** Counts an answer, and doubles the width where it ends a round that was good enough. */
  @GuardedBy("lock")
  private @Nullable Turn widen(Health health) {
    answers++;
    unknown += health == Health.UNKNOWN ? 1 : 0;
    throttled += health == Health.THROTTLED || health == Health.REFUSED ? 1 : 0;
    boolean bad =
        policy.tooManyUnknown(unknown, round) || policy.tooManyThrottled(throttled, round);
    if (bad || answers < round) {
      return null;
    }
    int before = width;
    width = (int) Math.min(slots, 2L * width);
    round = held ? Math.max(1, width - before) : width;
    beginRound();
    return width < slots ? null : turn(State.CLOSED, "as many good answers as it needs", "");
  }

  @GuardedBy("lock")
  private void beginRound() {
    answers = 0;
    unknown = 0;
    throttled = 0;
  }

  @GuardedBy("lock")
  private Turn turn(State to, String why, String cause) {
    Turn turn = new Turn(state, to, why, cause);
    state = to;
    this.cause = to == State.OPEN ? cause : this.cause;
    return turn;
  }
}
