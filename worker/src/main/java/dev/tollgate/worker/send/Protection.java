package dev.tollgate.worker.send;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tollgate.worker.provider.Rejection;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.send.OutcomeWindow.Health;
import dev.tollgate.worker.send.ProviderBreaker.State;
import dev.tollgate.worker.send.ProviderBreaker.Turn;
import java.time.Duration;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how much of what waits for a provider this worker may claim now: as much as its breaker
 * lets through, and nothing while the provider asked to be left alone. It holds up claims alone:
 * what was sent goes on, unknowns are looked at, and no limit of retries moves. Thread-safe.
 */
public final class Protection {
  private static final Logger log = LoggerFactory.getLogger(Protection.class);

  private static final Duration WARN_EVERY = Duration.ofSeconds(30);
  private static final long NEVER = Long.MIN_VALUE;

  /** Why some of a provider's slots are held back. */
  public enum Cause {
    /** Too many outcomes were unknown, or too many questions got no answer. */
    UNKNOWN,
    /** Too much was throttled, or the account was refused. */
    THROTTLED,
    /** The provider asked for a pause. */
    ASKED,
    /** This process began lately. */
    START;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What became of a question that creates nothing. */
  public enum Answer {
    CLEAR,
    /** None that can be used. */
    NONE
  }

  private final String provider;
  private final int slots;
  private final ProviderBreaker breaker;
  private final SendListener listener;
  private final LongSupplier nanoTime;
  private final RandomGenerator random;

  /** Changes that nobody has heard of yet: they are told outside of locks. */
  private final Queue<Turn> turns = new ConcurrentLinkedQueue<>();

  private final Object lock = new Object();

  private final AtomicLong warned = new AtomicLong(NEVER);

  @GuardedBy("lock")
  private boolean paused;

  @GuardedBy("lock")
  private long pausedUntil;

  /**
   * @param slots how many sends the provider takes at once when it is well
   * @param held whether a slot stays in use when its send was answered
   * @param random for jitter, so that workers do not come back together
   */
  public Protection(
      String provider,
      int slots,
      boolean held,
      BreakerPolicy policy,
      SendListener listener,
      LongSupplier nanoTime,
      RandomGenerator random) {
    this.provider = provider;
    this.slots = slots;
    this.breaker = new ProviderBreaker(policy, slots, held, nanoTime.getAsLong(), random);
    this.listener = listener;
    this.nanoTime = nanoTime;
    this.random = random;
  }

  /** Most sends at once, now. What it changes is heard of by {@link #tell()}. */
  public int width() {
    long now = nanoTime.getAsLong();
    remember(breaker.tick(now));
    return paused(now) ? 0 : breaker.width();
  }

  private boolean paused(long now) {
    synchronized (lock) {
      paused = paused && now - pausedUntil < 0;
      return paused;
    }
  }

  /**
   * Takes what became of a send.
   *
   * @param asked when its claim was asked for
   * @return whether {@link #width()} may be another now
   */
  boolean heard(Verdict verdict, long asked) {
    return switch (verdict) {
      case Verdict.Accepted _ -> count(Health.GOOD, asked);
      case Verdict.Rejected(Rejection why, String reason) when why.ofAccount() -> {
        warn(why, reason);
        yield count(Health.REFUSED, asked);
      }
      case Verdict.Rejected _ -> count(Health.GOOD, asked);
      case Verdict.Unknown _ -> count(Health.UNKNOWN, asked);
      case Verdict.Throttled throttled -> {
        count(Health.THROTTLED, asked);
        pause(throttled.retryAfter());
        yield true;
      }
      // it heard nothing from us, so this says nothing about its answers
      case Verdict.NotSent _ -> false;
    };
  }

  /**
   * Takes what became of a question.
   *
   * @param asked when it was asked
   */
  public void heard(Answer answer, long asked) {
    count(answer == Answer.CLEAR ? Health.GOOD : Health.UNKNOWN, asked);
    tell();
  }

  /**
   * Takes that a question was one too many.
   *
   * @param retryAfter for how long the provider wants to be left alone; positive
   * @param asked when it was asked
   */
  public void heardTooOften(Duration retryAfter, long asked) {
    count(Health.THROTTLED, asked);
    pause(retryAfter);
    tell();
  }

  /** Each refusal is evidence of its operation; the log has one of each while. */
  private void warn(Rejection why, String reason) {
    long now = nanoTime.getAsLong();
    long last = warned.get();
    if ((last == NEVER || now - last > WARN_EVERY.toNanos()) && warned.compareAndSet(last, now)) {
      log.warn(
          "{} refuses {} ({}): nothing was created; what was sent waits and is sent again",
          provider,
          why == Rejection.AUTH ? "the credential" : "the account",
          reason);
    }
  }

  private boolean count(Health health, long asked) {
    int before = breaker.width();
    remember(breaker.heard(health, asked, nanoTime.getAsLong()));
    return breaker.width() != before;
  }

  private void pause(Duration retryAfter) {
    long nanos = retryAfter.toNanos();
    long now = nanoTime.getAsLong();
    long until = now + nanos + random.nextLong(nanos / 10 + 1);
    boolean began;
    synchronized (lock) {
      began = !paused || now - pausedUntil >= 0;
      if (began || until - pausedUntil > 0) {
        pausedUntil = until;
      }
      paused = true;
    }
    if (began) {
      listener.throttlePaused(provider);
      log.info(
          "{} asked for a pause of {}: until then nothing is claimed for it", provider, retryAfter);
    }
  }

  private void remember(@Nullable Turn turn) {
    if (turn != null) {
      turns.add(turn);
    }
  }

  /** Tells what changed since. To be called without a lock. */
  void tell() {
    for (Turn turn = turns.poll(); turn != null; turn = turns.poll()) {
      if (turn.to() == State.OPEN) {
        listener.breakerOpened(provider, turn.cause());
        log.warn(
            "the breaker of {} is open, before it was {}: {}; what comes for it waits",
            provider,
            words(turn.from()),
            turn.why());
      } else {
        log.info(
            "the breaker of {} is {}, before it was {}: {}",
            provider,
            words(turn.to()),
            words(turn.from()),
            turn.why());
      }
    }
  }

  private static String words(State state) {
    return switch (state) {
      case CLOSED -> "closed";
      case STARTING -> "widening after the start";
      case HALF_OPEN -> "half open";
      case OPEN -> "open";
    };
  }

  /** The share of the slots that is held back now because of this, from 0 to 1. */
  public double held(Cause cause) {
    boolean asked = paused(nanoTime.getAsLong());
    if (cause == Cause.ASKED || asked) {
      return cause == Cause.ASKED && asked ? 1 : 0;
    }
    return switch (breaker.cause()) {
      case "unknown" -> cause == Cause.UNKNOWN ? share() : 0;
      case "throttled" -> cause == Cause.THROTTLED ? share() : 0;
      default -> cause == Cause.START ? share() : 0;
    };
  }

  private double share() {
    return 1 - (double) breaker.width() / slots;
  }

  /** The number of the breaker's state, see the meter. */
  public int stateNumber() {
    return switch (breaker.state()) {
      case CLOSED -> 0;
      case STARTING -> 1;
      case HALF_OPEN -> 2;
      case OPEN -> 3;
    };
  }
}
