package dev.tollgate.cli;

import dev.tollgate.cli.dlt.DeadLetter;
import dev.tollgate.cli.dlt.Place;
import dev.tollgate.cli.dlt.Replay;
import dev.tollgate.cli.dlt.ReplayPlan;
import dev.tollgate.cli.dlt.Selection;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "replay",
    description = {
      "Sends dead letters back to the topic they came from, as their producer sent them.",
      "It cannot cause a second send to a provider: the operation key decides."
    },
    mixinStandardHelpOptions = true)
final class DltReplayCommand implements Callable<Integer> {
  private static final int TEXT_MAX = 500;

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin DltCommand.TopicOption topic = new DltCommand.TopicOption();

  @Option(
      names = "--code",
      paramLabel = "CODE",
      description = "Letters with this code; may be given again.")
  List<String> codes = new ArrayList<>();

  @Option(
      names = {"--offset", "--at"},
      paramLabel = "PARTITION@OFFSET",
      converter = DltCommand.PlaceConverter.class,
      description = "The letter that lies there; may be given again.")
  List<Place> places = new ArrayList<>();

  @Option(names = "--all", description = "All letters.")
  boolean all;

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "What has changed, so that it works now; kept with each message.")
  String why = "";

  @Option(
      names = "--who",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "Who replays (default: ${DEFAULT-VALUE}).")
  String who = "";

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "20",
      description = "Most letters per second (default: ${DEFAULT-VALUE}).")
  double rate;

  @Option(
      names = "--max-replays",
      paramLabel = "N",
      defaultValue = "5",
      description = "How often one message may be replayed (default: ${DEFAULT-VALUE}).")
  int maxReplays;

  @Option(names = "--dry-run", description = "Say what would be replayed, and send nothing.")
  boolean dryRun;

  private int sent;
  private int left;

  /** Ends the reading of the topic when a letter could not be sent. */
  private static final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stop(Throwable cause) {
      super(cause);
    }
  }

  @Override
  public Integer call() {
    check();
    PrintWriter out = spec.commandLine().getOut();
    Selection selection = new Selection(DltCommand.codes(codes), Set.copyOf(places));
    try (DltCommand.Opened opened = topic.open()) {
      ReplayPlan plan = ReplayPlan.of(opened.letters(), selection);
      plan.notFound()
          .forEach(place -> leave(place.toString(), "no dead letter that was selected lies there"));
      try {
        if (dryRun) {
          each(opened, plan, letter -> tell(letter, plan));
        } else {
          replay(opened, plan);
        }
      } finally {
        out.printf(
            Locale.ROOT,
            "%d %s to %s, %d left, %d copies of the same messages skipped%n",
            sent,
            dryRun ? "would be replayed" : "replayed",
            opened.target(),
            left,
            plan.copies());
        out.flush();
      }
    }
    return left == 0 ? 0 : Failure.REFUSED;
  }

  private void check() {
    if (codes.isEmpty() && places.isEmpty() && !all) {
      throw Failure.usage("which letters? Give --code, --offset, or --all");
    }
    if (all && !(codes.isEmpty() && places.isEmpty())) {
      throw Failure.usage("--all goes with neither --code nor --offset");
    }
    if (why.isBlank() || who.isBlank() || why.length() > TEXT_MAX || who.length() > TEXT_MAX) {
      throw Failure.usage(
          "--why and --who take some text, at most %d characters".formatted(TEXT_MAX));
    }
    if (!(rate > 0 && rate <= 1_000_000)) {
      throw Failure.usage("--rate must be above 0");
    }
    if (maxReplays < 1) {
      throw Failure.usage("--max-replays must be 1 or more");
    }
  }

  private void replay(DltCommand.Opened opened, ReplayPlan plan) {
    Duration interval = Duration.ofNanos(Math.round(1e9 / rate));
    Replay.Terms terms =
        new Replay.Terms(
            opened.target(),
            opened.letters().topic(),
            Shown.line(who),
            Shown.line(why),
            interval,
            maxReplays);
    Producer<byte[], byte[]> producer =
        opened.clients().producer(Map.copyOf(PublishCommand.settings()));
    try {
      Replay replay = new Replay(producer, terms, InstantSource.system(), System::nanoTime);
      each(opened, plan, letter -> send(replay, letter, plan, opened.target()));
    } catch (Stop e) {
      throw Failure.unreachable(
          "stopped: the broker did not acknowledge a letter: "
              + Explanation.said(reason(e.getCause())),
          e);
    } finally {
      producer.close(Duration.ofSeconds(1));
    }
  }

  private static Throwable reason(@Nullable Throwable e) {
    Throwable at = e == null ? new IllegalStateException("for no stated reason") : e;
    return at instanceof ExecutionException && at.getCause() != null ? at.getCause() : at;
  }

  private static void each(
      DltCommand.Opened opened, ReplayPlan plan, java.util.function.Consumer<DeadLetter> action) {
    Set<Place> chosen = plan.places();
    if (chosen.isEmpty()) {
      return;
    }
    opened
        .letters()
        .forEach(
            letter -> {
              if (chosen.contains(letter.place())) {
                action.accept(letter);
              }
            });
  }

  private void tell(DeadLetter letter, ReplayPlan plan) {
    Replay.NotSent refusal = Replay.refusal(letter, plan.replays(letter), maxReplays);
    if (refusal != null) {
      leave(letter.place() + " " + Shown.line(letter.key()), refusal.reason());
      return;
    }
    sent++;
    spec.commandLine()
        .getOut()
        .println(
            "would replay %s %s %s"
                .formatted(letter.place(), letter.code(), Shown.line(letter.key())));
  }

  private void send(Replay replay, DeadLetter letter, ReplayPlan plan, String target) {
    String key = Shown.line(letter.key());
    try {
      switch (replay.send(letter, plan.replays(letter))) {
        case Replay.Sent(int partition, long offset, int replays) -> {
          sent++;
          spec.commandLine()
              .getOut()
              .println(
                  "replayed %s %s %s -> %s %s (replay %s)"
                      .formatted(
                          letter.place(),
                          letter.code(),
                          key,
                          target,
                          new Place(partition, offset),
                          String.valueOf(replays)));
          spec.commandLine().getOut().flush();
        }
        case Replay.NotSent(String reason) -> leave(letter.place() + " " + key, reason);
      }
    } catch (ExecutionException e) {
      throw new Stop(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Stop(e);
    }
  }

  private void leave(String letter, String reason) {
    left++;
    PrintWriter err = spec.commandLine().getErr();
    err.println("left " + letter + ": " + reason);
    err.flush();
  }
}
