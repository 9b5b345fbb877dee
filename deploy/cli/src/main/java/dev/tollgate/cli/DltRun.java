package dev.tollgate.cli;

import dev.tollgate.cli.dlt.DeadLetterTopic;
import dev.tollgate.cli.dlt.Judge;
import dev.tollgate.cli.dlt.LetterRun;
import dev.tollgate.cli.dlt.Place;
import dev.tollgate.cli.dlt.Plan;
import dev.tollgate.cli.dlt.Resend;
import dev.tollgate.cli.dlt.RunStopped;
import dev.tollgate.cli.dlt.Terms;
import dev.tollgate.cli.dlt.Work;
import dev.tollgate.schema.config.Rate;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DeadLetterRun;
import dev.tollgate.schema.store.DeadLetterRuns;
import dev.tollgate.schema.store.DeadLetterRuns.Hold;
import dev.tollgate.schema.store.StoreUnavailable;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What replay and discard have in common: which letters, who, why, and how a run goes on. */
final class DltRun {
  private static final int TEXT_MAX = 500;
  private static final int BATCH_MAX = 200;
  private static final int FORGET_MOST = 10_000;
  private static final long NANOS_PER_MINUTE = Duration.ofMinutes(1).toNanos();

  @Mixin ConfigOption configuration = new ConfigOption();
  @Mixin DltCommand.TopicOption topic = new DltCommand.TopicOption();
  @Mixin DltFilter filter = new DltFilter();

  @Option(
      names = {"--offset", "--at"},
      paramLabel = "PARTITION@OFFSET",
      converter = DltCommand.PlaceConverter.class,
      description = "Only the letter that lies there; may be given again.")
  List<Place> places = new ArrayList<>();

  @Option(names = "--all", description = "All letters, where nothing else says which.")
  boolean all;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "0",
      description = "Most letters that are dealt with, 0 for all (default: ${DEFAULT-VALUE}).")
  long limit;

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      description = "Why; kept with the run. Needed, unless a run is gone on with.")
  @Nullable String why;

  @Option(
      names = "--who",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "Who does it (default: ${DEFAULT-VALUE}).")
  String who = "";

  @Option(
      names = "--resume",
      paramLabel = "RUN",
      description = {
        "Goes on with a run that stopped or died. What it had claimed is done again, which is harmless:",
        "the operation key decides."
      })
  @Nullable Long resume;

  @Option(names = "--dry-run", description = "Say what would be done with each, and do nothing.")
  boolean dryRun;

  @Option(names = "--json", description = "One JSON object a line: each letter, then the run.")
  boolean json;

  /**
   * What one of the two commands asks for.
   *
   * @param rate how many are sent in a time; a discard sends nothing
   */
  record Asked(
      DeadLetterRun.Kind kind,
      boolean force,
      boolean discardedToo,
      int replaysMax,
      Optional<Rate> rate) {
    boolean replays() {
      return kind == DeadLetterRun.Kind.REPLAY;
    }

    /** About as many as are sent in a second: a process that dies leaves no more than that. */
    int batch() {
      return rate.map(Rate::perSecond).map(n -> Math.min(n, BATCH_MAX)).orElse(BATCH_MAX);
    }
  }

  /** A run that is to be gone through, and who asks for it. */
  private record Meant(Terms terms, String who, String why, @Nullable DeadLetterRun earlier) {}

  int call(CommandSpec spec, Asked asked) {
    check();
    TollgateConfig config = configuration.required();
    Meant meant = resume == null ? typed(asked) : stored(config, asked, resume);
    PrintWriter err = spec.commandLine().getErr();
    try (DltDesk desk = DltDesk.open(config, topic.source)) {
      DeadLetterTopic letters = desk.letters();
      if (meant.earlier() != null && !meant.earlier().topicId().equals(letters.id())) {
        throw Failure.refused(
            "%s was made again since run %d began".formatted(letters.topic(), resume));
      }
      Terms terms = meant.earlier() == null ? bounded(meant.terms(), letters) : meant.terms();
      Plan plan =
          Plan.of(
              letters,
              terms.selection(),
              desk.runs().ofTopic(letters.id()),
              resume == null ? 0 : resume,
              terms.discardedToo());
      DltReport report =
          new DltReport(spec.commandLine().getOut(), err, json, desk, plan, asked.rate());
      plan.leftOut().forEach(report::left);
      Optional<Judge> judge =
          asked.replays()
              ? Optional.of(desk.judge(letter -> plan.replays(letter) >= terms.replaysMax(), err))
              : Optional.empty();
      LetterRun run = new LetterRun(plan, terms, judge, asked.batch());
      if (dryRun) {
        run.through(letters, 0, steps -> steps.forEach(report::would));
        report.end(null);
      } else {
        go(
            desk,
            asked,
            new Meant(terms, meant.who(), meant.why(), meant.earlier()),
            plan,
            run,
            report);
      }
      return report.left() == 0 ? 0 : Failure.REFUSED;
    }
  }

  private void check() {
    boolean narrow = filter.selection(topic.source, places).narrow();
    if (resume != null && (narrow || all || dryRun || limit != 0 || why != null)) {
      throw Failure.usage("--resume goes with no other choice: the run was told what to do");
    }
    if (resume == null && !narrow && !all) {
      throw Failure.usage("which letters? Give --code, --offset, another filter, or --all");
    }
    if (narrow && all) {
      throw Failure.usage("--all goes with no filter");
    }
    if (limit < 0) {
      throw Failure.usage("--limit must be 0 or more");
    }
    if (resume == null && why == null) {
      throw Failure.usage("--why is needed: it is kept with the run");
    }
    if ((why != null && (why.isBlank() || why.length() > TEXT_MAX))
        || who.isBlank()
        || who.length() > TEXT_MAX) {
      throw Failure.usage(
          "--why and --who take some text, at most %d characters".formatted(TEXT_MAX));
    }
  }

  private Meant typed(Asked asked) {
    Terms terms =
        new Terms(
            filter.selection(topic.source, places),
            asked.force(),
            asked.discardedToo(),
            asked.replaysMax(),
            limit);
    return new Meant(terms, Shown.line(who), Shown.line(why), null);
  }

  /** As it was told; what its topic is decides which one is meant. */
  private Meant stored(TollgateConfig config, Asked asked, long id) {
    DeadLetterRun run;
    try (Database database = DltDesk.database(config)) {
      run =
          new DeadLetterRuns(database.dsl())
              .run(id)
              .orElseThrow(() -> Failure.refused("there is no run %d".formatted(id)));
    }
    if (run.kind() != asked.kind()) {
      throw Failure.usage("run %d is a %s".formatted(id, run.kind().word()));
    }
    if (run.endedAt() != null) {
      throw Failure.refused("run %d ended at %s".formatted(id, Shown.time(run.endedAt())));
    }
    for (DltCommand.Source source : DltCommand.Source.values()) {
      if (DltDesk.letters(config, source).equals(run.topic())) {
        topic.source = source;
        return new Meant(Terms.fromJson(run.terms()), run.who(), run.why(), run);
      }
    }
    throw Failure.refused(
        "run %d is of %s, which is none of the configured topics".formatted(id, run.topic()));
  }

  /** What comes later is not meant, nor what comes back from this run itself. */
  private static Terms bounded(Terms terms, DeadLetterTopic letters) {
    return new Terms(
        terms.selection().before(letters.ends()),
        terms.force(),
        terms.discardedToo(),
        terms.replaysMax(),
        terms.limit());
  }

  private void go(
      DltDesk desk, Asked asked, Meant meant, Plan plan, LetterRun run, DltReport report) {
    DeadLetterRuns runs = desk.runs();
    DeadLetterTopic letters = desk.letters();
    int _ = runs.forget(letters.topic(), letters.id(), letters.firsts(), FORGET_MOST);
    Hold hold = hold(runs, asked, meant, letters);
    boolean ended = false;
    Optional<Producer<byte[], byte[]>> producer =
        asked.replays()
            ? Optional.of(desk.clients().producer(Map.copyOf(PublishCommand.settings())))
            : Optional.empty();
    try {
      Optional<Resend> resend =
          producer.map(
              out ->
                  new Resend(
                      out,
                      new Resend.Route(
                          desk.target(),
                          letters.topic(),
                          meant.who(),
                          meant.why(),
                          interval(asked)),
                      InstantSource.system(),
                      System::nanoTime));
      Work work =
          new Work(
              runs,
              hold,
              meant.terms().discardedToo(),
              plan,
              resend,
              report::did,
              System::nanoTime);
      run.through(letters, dealtWith(meant.earlier()), work::deal);
      runs.end(hold, report.left());
      ended = true;
    } catch (RunStopped e) {
      throw e.getCause() == null
          ? Failure.refused("stopped: " + e.getMessage())
          : Failure.unreachable(
              "stopped: %s: %s".formatted(e.getMessage(), Explanation.said(e.getCause())), e);
    } finally {
      producer.ifPresent(out -> out.close(Duration.ofSeconds(1)));
      report.end(hold.run());
      if (!ended) {
        report.unfinished(asked.kind(), hold.run());
        letGo(runs, hold);
      }
    }
  }

  private static void letGo(DeadLetterRuns runs, Hold hold) {
    try {
      runs.letGo(hold);
    } catch (StoreUnavailable _) {
      // its lease runs out by itself; why it stopped is what a person has to hear
    }
  }

  private static Hold hold(DeadLetterRuns runs, Asked asked, Meant meant, DeadLetterTopic letters) {
    UUID holder = UUID.randomUUID();
    DeadLetterRun earlier = meant.earlier();
    if (earlier == null) {
      return runs.start(
          asked.kind(),
          letters.topic(),
          letters.id(),
          meant.who(),
          meant.why(),
          meant.terms().toJson(),
          holder,
          Work.LEASE);
    }
    return runs.takeUp(earlier, holder, Work.LEASE)
        .orElseThrow(
            () ->
                Failure.refused(
                    "run %d is under way, or its process died a moment ago: it can be gone on with after %s"
                        .formatted(earlier.id(), Shown.time(earlier.until()))));
  }

  private static long dealtWith(@Nullable DeadLetterRun earlier) {
    return earlier == null
        ? 0
        : earlier.counts().replayed() + earlier.counts().settled() + earlier.counts().discarded();
  }

  private static Duration interval(Asked asked) {
    return asked
        .rate()
        .map(rate -> Duration.ofNanos(NANOS_PER_MINUTE / rate.perMinute()))
        .orElse(Duration.ZERO);
  }
}
