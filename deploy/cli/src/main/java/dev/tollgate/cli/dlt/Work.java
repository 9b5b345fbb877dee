package dev.tollgate.cli.dlt;

import dev.tollgate.schema.store.DeadLetterFate.At;
import dev.tollgate.schema.store.DeadLetterFate.Decision;
import dev.tollgate.schema.store.DeadLetterFate.Fate;
import dev.tollgate.schema.store.DeadLetterRuns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Does with letters what was decided: claims them, sends those that are to be sent, records each.
 * Letters that another run has claimed are left. Not for use by several threads.
 */
public final class Work {
  /**
   * How long a run is its process's without a sign of life: longer than the broker may take to
   * acknowledge one letter, and the next record of what was done.
   */
  public static final Duration LEASE = Duration.ofSeconds(45);

  private static final long RECORD_EVERY_NANOS = Duration.ofSeconds(5).toNanos();

  private final DeadLetterRuns runs;
  private final DeadLetterRuns.Hold hold;
  private final boolean discardedToo;
  private final Plan plan;
  private final Optional<Resend> resend;
  private final Consumer<Step> teller;
  private final LongSupplier nanoTime;

  /**
   * @param resend for what is to be sent; a discard needs none
   * @param teller hears of each letter when something was done with it, or nothing
   */
  public Work(
      DeadLetterRuns runs,
      DeadLetterRuns.Hold hold,
      boolean discardedToo,
      Plan plan,
      Optional<Resend> resend,
      Consumer<Step> teller,
      LongSupplier nanoTime) {
    this.runs = runs;
    this.hold = hold;
    this.discardedToo = discardedToo;
    this.plan = plan;
    this.resend = resend;
    this.teller = teller;
    this.nanoTime = nanoTime;
  }

  /**
   * Deals with a few letters.
   *
   * @throws RunStopped if one was not acknowledged, or another process has taken the run up
   */
  public void deal(List<Step> steps) {
    List<Step> meant = steps.stream().filter(step -> step.fate() != null).toList();
    steps.stream().filter(step -> step.fate() == null).forEach(teller);
    if (meant.isEmpty()) {
      return;
    }
    resend.ifPresent(Work::pace); // before they are claimed: others need not wait as long
    Set<At> claimed =
        runs.claim(hold, meant.stream().map(Step::at).toList(), discardedToo)
            .orElseThrow(() -> new RunStopped("another process has gone on with it", null));
    List<Decision> done = new ArrayList<>();
    long recorded = nanoTime.getAsLong();
    try {
      for (Step step : meant) {
        Step did = claimed.contains(step.at()) ? act(step) : taken(step);
        Fate met = did.fate();
        if (met != null) {
          done.add(did.decision(met));
        }
        teller.accept(did);
        if (nanoTime.getAsLong() - recorded > RECORD_EVERY_NANOS) {
          record(done);
          recorded = nanoTime.getAsLong();
        }
      }
    } finally {
      record(done);
    }
  }

  private static void pace(Resend resend) {
    try {
      resend.pace();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static Step taken(Step step) {
    return step.left("another run has it in hand, or has dealt with it meanwhile");
  }

  private Step act(Step step) {
    if (step.fate() != Fate.REPLAYED) {
      return step;
    }
    Resend out = resend.orElseThrow();
    try {
      return step.sent(out.send(step.letter(), plan.replays(step.letter())));
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw notSent(e.getCause() == null ? e : e.getCause());
    } catch (RuntimeException e) {
      throw notSent(e); // the producer throws some failures at once
    }
  }

  private void record(List<Decision> done) {
    if (!done.isEmpty()) {
      runs.record(hold, done);
      done.clear();
    }
  }

  private static RunStopped notSent(Throwable cause) {
    return new RunStopped("the broker did not acknowledge a letter", cause);
  }

  private static RunStopped interrupted(@Nullable InterruptedException e) {
    Thread.currentThread().interrupt();
    return new RunStopped("interrupted", Objects.requireNonNull(e));
  }
}
