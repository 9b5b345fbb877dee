package dev.tollgate.loadtest.demo;

import dev.tollgate.loadtest.audit.Audit;
import dev.tollgate.loadtest.audit.Details;
import dev.tollgate.loadtest.audit.Facts;
import dev.tollgate.loadtest.audit.FactsReader;
import dev.tollgate.loadtest.audit.Report;
import dev.tollgate.loadtest.sandbox.Ledger;
import dev.tollgate.loadtest.sandbox.LedgerException;
import dev.tollgate.schema.store.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** One run on processes that are up. Not for use by several threads. */
public final class Demo {
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /** Most operations that are named. */
  private static final int NAMED_MAX = 20;

  private final Plan plan;
  private final Setting setting;
  private final Fleet fleet;
  private final Workload workload;
  private final LongSupplier nanoTime;
  private final Consumer<Progress> progress;

  /**
   * @param nanoTime the monotonic clock
   * @param progress hears twice a second how it goes
   */
  public Demo(
      Plan plan, Setting setting, Fleet fleet, LongSupplier nanoTime, Consumer<Progress> progress) {
    this.plan = plan;
    this.setting = setting;
    this.fleet = fleet;
    this.workload = Workload.of(plan.operations(), plan.seed());
    this.nanoTime = nanoTime;
    this.progress = progress;
  }

  /** Publishes, waits, stops the fleet, audits. */
  public Outcome run() throws InterruptedException {
    try (Producer<byte[], byte[]> producer = setting.kafka().producer(Map.of())) {
      Publisher publisher =
          new Publisher(
              producer,
              setting.topics().requests(),
              workload.messages(),
              plan.publishing(),
              nanoTime);
      Chaos chaos = new Chaos(fleet, plan.seed(), plan.lease(), publisher::done);
      return run(publisher, chaos);
    }
  }

  private Outcome run(Publisher publisher, Chaos chaos) throws InterruptedException {
    Thread publishing = Thread.ofPlatform().name("publish").start(publisher);
    Thread striking = Thread.ofPlatform().name("strike").unstarted(chaos);
    if (plan.faults().strikes()) {
      striking.start();
    }
    List<String> problems = new ArrayList<>();
    long began = nanoTime.getAsLong();
    try {
      String trouble = awaitQuiet(publisher, chaos, began);
      if (trouble != null) {
        problems.add(trouble);
      }
    } finally {
      publisher.stop();
      chaos.stop();
      publishing.join();
      striking.join();
    }
    double seconds = (nanoTime.getAsLong() - began) / 1e9;
    fleet.stop();
    Facts facts = facts();
    Report report = Audit.of(facts);
    if (!problems.isEmpty()) {
      problems.add("it was not at rest when it was counted: what is not finished counts as lost");
      problems.addAll(open(facts));
    }
    if (!report.violations().isEmpty()) {
      Details.write(setting.details(), facts, report);
    }
    return Outcome.of(
        plan,
        fleet.workers().size(),
        publisher.acknowledged(),
        chaos.struck(),
        report,
        Told.of(facts),
        seconds,
        problems);
  }

  private Facts facts() {
    return new FactsReader(
            setting.db(), setting.kafka(), setting.topics(), setting.outputs(), setting.ledger())
        .read(workload.intended());
  }

  /** Operations that are not over, in words. */
  private static List<String> open(Facts facts) {
    return facts.operations().values().stream()
        .filter(operation -> operation.next() != null && !operation.next().equals("person"))
        .limit(NAMED_MAX)
        .map(
            operation ->
                "open: %s is %s, next %s"
                    .formatted(operation.key(), operation.state().word(), operation.next()))
        .toList();
  }

  /** Returns when all is quiet, or says why it will not be. */
  private @Nullable String awaitQuiet(Publisher publisher, Chaos chaos, long began)
      throws InterruptedException {
    try (Backlog backlog = new Backlog(setting.kafka())) {
      while (true) {
        Standing standing = standing();
        if (standing != null) {
          show(publisher, chaos, standing, began);
          boolean struck = !plan.faults().strikes() || chaos.done();
          if (struck && publisher.done() && quiet(standing, backlog)) {
            return null;
          }
        }
        String trouble = trouble(publisher, chaos);
        if (trouble != null) {
          return trouble;
        }
        if (nanoTime.getAsLong() - began > plan.within().toNanos()) {
          return "not quiet after %d s: %s"
              .formatted(plan.within().toSeconds(), standing == null ? "" : said(standing));
        }
        TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
      }
    }
  }

  private static String said(Standing standing) {
    return "%s; %d under way, %d events not told"
        .formatted(standing.states(), standing.underWay(), standing.untold());
  }

  private @Nullable Standing standing() {
    try {
      return Standing.read(setting.db());
    } catch (StoreUnavailable | DataAccessException _) {
      return null; // the next look may see it
    }
  }

  private boolean quiet(Standing standing, Backlog backlog) {
    if (standing.underWay() > 0 || standing.untold() > 0) {
      return false;
    }
    long missing = plan.operations() - standing.rows();
    return (missing <= 0 || backlog.size(setting.topics().requestsDlt()) >= missing)
        && backlog.left(setting.workerGroup(), setting.topics().requests()) == 0;
  }

  private @Nullable String trouble(Publisher publisher, Chaos chaos) {
    Exception publishing = publisher.failure();
    if (publishing != null) {
      return "a message was not acknowledged: " + publishing;
    }
    RuntimeException striking = chaos.failure();
    if (striking != null) {
      return "a strike failed: " + striking;
    }
    List<String> ended = fleet.tend();
    return ended.isEmpty() ? null : "ended by itself: " + String.join("; ", ended);
  }

  private void show(Publisher publisher, Chaos chaos, Standing standing, long began) {
    progress.accept(
        new Progress(
            publisher.acknowledged(),
            workload.messages().size(),
            standing.states(),
            standing.unknownSeen(),
            standing.persons(),
            faults(chaos),
            fleet.up(),
            (nanoTime.getAsLong() - began) / 1e9));
  }

  private long faults(Chaos chaos) {
    long struck = chaos.struck().values().stream().mapToLong(Long::longValue).sum();
    try {
      return struck
          + Ledger.read(setting.ledger()).faultsFired().entrySet().stream()
              .filter(fired -> !fired.getKey().equals("accept"))
              .mapToLong(Map.Entry::getValue)
              .sum();
    } catch (LedgerException _) {
      return struck; // not there yet
    }
  }
}
