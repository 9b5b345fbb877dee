package dev.tollgate.cli;

import dev.tollgate.cli.local.LocalConfig;
import dev.tollgate.cli.local.LocalStack;
import dev.tollgate.embedded.Folders;
import dev.tollgate.loadtest.demo.Demo;
import dev.tollgate.loadtest.demo.Outcome;
import dev.tollgate.loadtest.demo.Plan;
import dev.tollgate.loadtest.demo.Setting;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One demonstration from the first server to the last file. Run and close from one thread; {@link
 * #abort} from any.
 */
final class DemoRun implements AutoCloseable {
  private static final String WORKER_GROUP = "tollgate-workers";
  private static final int ABORT_SECONDS_MAX = 60;

  private final Plan plan;
  private final int workers;
  private final boolean keep;
  private final ProgressLine line;
  private final LongSupplier nanoTime;
  private final Path folder;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable LocalStack stack;
  private @Nullable DemoFleet fleet;
  private boolean good;

  /** Written by the aborting thread. */
  private volatile boolean aborted;

  DemoRun(Plan plan, int workers, boolean keep, ProgressLine line, LongSupplier nanoTime)
      throws IOException {
    this.plan = plan;
    this.workers = workers;
    this.keep = keep;
    this.line = line;
    this.nanoTime = nanoTime;
    this.folder = Files.createTempDirectory("tollgate-demo-");
  }

  Outcome run() throws InterruptedException, IOException {
    line.say("starting PostgreSQL, Redis and Kafka");
    LocalStack servers = LocalStack.startTemporary(folder);
    stack = servers;
    LocalConfig config = servers.config();
    config.writeSandboxSecrets();
    line.say("starting a sandbox provider, %d worker(s) and a reconciler".formatted(workers));
    DemoFleet processes = new DemoFleet(folder, config, workers, plan, line::say, nanoTime);
    fleet = processes;
    processes.startAll();
    line.say("publishing, seed " + plan.seed());
    DatabaseSettings settings =
        new DatabaseSettings(
            config.databaseUrl(), config.databaseUser(), config.databasePassword());
    try (Database database = Database.forReading(settings, "demo")) {
      Setting setting =
          new Setting(
              database.dsl(),
              new Clients(config.bootstrapServers(), Map.of()),
              new Topics(config.topicPrefix()),
              WORKER_GROUP,
              config.outputs(),
              processes.ledger(),
              folder.resolve("details.txt"));
      Outcome outcome = new Demo(plan, setting, processes, nanoTime, line).run();
      good = outcome.good();
      return outcome;
    } finally {
      line.end();
    }
  }

  /** Makes {@link #run} end, waits until everything is down. For a process that is told to end. */
  void abort(Thread running) {
    if (closed.getCount() == 0) {
      return;
    }
    aborted = true;
    running.interrupt();
    try {
      if (!closed.await(ABORT_SECONDS_MAX, TimeUnit.SECONDS)) {
        line.say("it takes long; what is left ends with this process");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends processes, then servers, then the folder. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted(); // or nothing could be waited for
    try {
      end(fleet);
      end(stack);
      tidy();
    } finally {
      closed.countDown();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void end(@Nullable AutoCloseable part) {
    try {
      if (part != null) {
        part.close();
      }
    } catch (Exception e) {
      throw new IllegalStateException("not everything could be ended", e);
    }
  }

  private void tidy() {
    if (keep || !(good || aborted)) {
      line.say("logs, ledger and outputs are in " + folder);
      return;
    }
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be deleted", e);
    }
  }
}
