package dev.tollgate.cli;

import dev.tollgate.cli.dlt.Place;
import dev.tollgate.cli.dlt.Plan;
import dev.tollgate.cli.dlt.Resend;
import dev.tollgate.cli.dlt.Step;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.config.Rate;
import dev.tollgate.schema.store.DeadLetterFate.Fate;
import dev.tollgate.schema.store.DeadLetterRun;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Tells what is done with each letter of a run, how far it is, and what came of it. Not for use by
 * several threads.
 */
final class DltReport {
  private static final long WORTH_TELLING_SECONDS = 5;

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private final DltDesk desk;
  private final Plan plan;
  private final Optional<Rate> rate;
  private final ProgressLine progress;
  private final Map<Fate, Long> counts = new EnumMap<>(Fate.class);
  private boolean dry;
  private long seen;
  private long left;
  private long micros;
  private long unpriced;

  DltReport(
      PrintWriter out,
      PrintWriter err,
      boolean json,
      DltDesk desk,
      Plan plan,
      Optional<Rate> rate) {
    this.out = out;
    this.err = err;
    this.json = json;
    this.desk = desk;
    this.plan = plan;
    this.rate = rate;
    this.progress = ProgressLine.on(err, false, System::nanoTime);
  }

  /** Letters that were meant and left as they were. */
  long left() {
    return left;
  }

  /** A place that was meant and is not gone through. */
  void left(Place place, String why) {
    left++;
    if (json) {
      Map<String, @Nullable Object> members = new LinkedHashMap<>();
      members.put("partition", place.partition());
      members.put("offset", place.offset());
      members.put("fate", null);
      members.put("says", why);
      out.println(Shown.json(members));
    } else {
      err.println("left " + place + ": " + why);
      err.flush();
    }
  }

  /** What would be done with a letter. */
  void would(Step step) {
    dry = true;
    tell(step, "would ");
  }

  /** What was done with a letter. */
  void did(Step step) {
    tell(step, "");
    long open = plan.size() - seen;
    // a discard is quick: only many of them are worth a line
    long seconds =
        rate.map(most -> Duration.ofMinutes(open).toSeconds() / most.perMinute())
            .orElse(open / 200);
    if (seconds >= WORTH_TELLING_SECONDS) {
      progress.show("%d of %d letters, at least %d s to go".formatted(seen, plan.size(), seconds));
    }
  }

  private void tell(Step step, String mood) {
    seen++;
    Fate fate = step.fate();
    if (fate == null) {
      left++;
    } else {
      counts.merge(fate, 1L, Long::sum);
      Long cost = step.micros();
      micros += cost == null ? 0 : cost;
      unpriced += cost == null ? 1 : 0;
    }
    if (json) {
      out.println(Shown.json(members(step)));
      out.flush();
    } else {
      line(step, fate, mood);
    }
  }

  private void line(Step step, @Nullable Fate fate, String mood) {
    Place place = step.letter().place();
    String key = Shown.line(step.letter().key());
    if (fate == null) {
      err.println("left %s %s: %s".formatted(place, key, Shown.line(step.says())));
      err.flush();
      return;
    }
    String did = mood.isEmpty() ? fate.word() : mood + verb(fate);
    Resend.Sent sent = step.sent();
    String where =
        sent == null
            ? ""
            : " -> %s %s (replay %d)".formatted(desk.target(), sent.place(), sent.replays());
    out.println(
        "%s %s %s %s%s: %s"
            .formatted(
                did, place, Shown.line(step.letter().code()), key, where, Shown.line(step.says())));
    out.flush();
  }

  private static String verb(Fate fate) {
    return switch (fate) {
      case REPLAYED -> "replay";
      case SETTLED -> "settle";
      case DISCARDED -> "discard";
      case CLAIMED -> "claim";
    };
  }

  private static Map<String, @Nullable Object> members(Step step) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    Fate fate = step.fate();
    Resend.Sent sent = step.sent();
    Long cost = step.micros();
    members.put("partition", step.letter().place().partition());
    members.put("offset", step.letter().place().offset());
    members.put("code", step.letter().code());
    members.put("key", step.letter().key());
    members.put("fate", fate == null ? null : fate.word());
    members.put("says", step.says());
    members.put("price", cost == null ? null : new Money(cost).toString());
    members.put("sent_to", sent == null ? null : sent.place().toString());
    return members;
  }

  /**
   * What came of it.
   *
   * @param run null for a dry run
   */
  void end(@Nullable Long run) {
    dry = run == null;
    DeadLetterRun.Counts all =
        new DeadLetterRun.Counts(
            counts.getOrDefault(Fate.REPLAYED, 0L),
            counts.getOrDefault(Fate.SETTLED, 0L),
            counts.getOrDefault(Fate.DISCARDED, 0L),
            left,
            micros,
            unpriced);
    if (json) {
      Map<String, @Nullable Object> members = new LinkedHashMap<>();
      members.put("run", run);
      members.put("dry_run", dry);
      members.put("topic", desk.letters().topic());
      members.putAll(members(all, desk.currency()));
      members.put("decided_before", plan.decided());
      out.println(Shown.json(members));
    } else {
      StringJoiner line = new StringJoiner(", ");
      line.add(
          dry
              ? "nothing was done; would be: " + words(all, desk.currency())
              : "run %d: %s".formatted(run, words(all, desk.currency())));
      if (plan.decided() > 0) {
        line.add("%d decided on before".formatted(plan.decided()));
      }
      out.println(line);
    }
    out.flush();
  }

  void unfinished(DeadLetterRun.Kind kind, long run) {
    err.println(
        "tollgate: run %d is not over: `tollgate dlt %s --resume %d` goes on with it"
            .formatted(run, kind.word(), run));
    err.flush();
  }

  /** Counts in words; what is zero is left out, unless all is. */
  static String words(DeadLetterRun.Counts counts, String currency) {
    StringJoiner words = new StringJoiner(", ");
    words.add("%d replayed".formatted(counts.replayed()));
    if (counts.micros() > 0 || counts.unpriced() > 0) {
      words.add("for %s %s".formatted(new Money(counts.micros()), currency));
    }
    if (counts.unpriced() > 0) {
      words.add("of %d the price is not known".formatted(counts.unpriced()));
    }
    add(words, counts.settled(), "answered from what is on record");
    add(words, counts.discarded(), "discarded");
    add(words, counts.left(), "left");
    return words.toString();
  }

  private static void add(StringJoiner words, long count, String what) {
    if (count > 0) {
      words.add("%d %s".formatted(count, what));
    }
  }

  static Map<String, @Nullable Object> members(DeadLetterRun.Counts counts, String currency) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("replayed", counts.replayed());
    members.put("settled", counts.settled());
    members.put("discarded", counts.discarded());
    members.put("left", counts.left());
    members.put("cost", new Money(counts.micros()).toString());
    members.put("currency", currency);
    members.put("price_unknown", counts.unpriced());
    return members;
  }
}
