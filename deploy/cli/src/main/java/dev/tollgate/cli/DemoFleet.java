package dev.tollgate.cli;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tollgate.cli.local.ChildFailed;
import dev.tollgate.cli.local.ChildProcess;
import dev.tollgate.cli.local.LocalConfig;
import dev.tollgate.cli.local.Processes;
import dev.tollgate.cli.local.Readiness;
import dev.tollgate.embedded.Ports;
import dev.tollgate.loadtest.demo.Fleet;
import dev.tollgate.loadtest.demo.Plan;
import dev.tollgate.loadtest.sandbox.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** A demonstration's processes as children of this one. Thread-safe. */
final class DemoFleet implements Fleet, AutoCloseable {
  private static final Duration SUBMIT_DEADLINE = Duration.ofSeconds(4);
  private static final Duration LEASE_GRACE = Duration.ofSeconds(1);

  /** How long a claim holds. */
  static final Duration LEASE = SUBMIT_DEADLINE.plus(LEASE_GRACE);

  /** Sends under way at one provider, of each worker. */
  private static final String CONCURRENCY = "8";

  private static final Duration READY_WITHIN = Duration.ofSeconds(90);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(40);
  private static final int TAIL_LINES = 5;

  /** How often a process may end by itself. */
  private static final int DEATHS_MAX = 3;

  private static final String RECONCILER = "reconciler-1";
  private static final String SANDBOX = "sandbox";

  private final Path folder;
  private final LocalConfig config;
  private final Plan plan;
  private final Consumer<String> say;
  private final Processes processes;
  private final Readiness readiness;
  private final List<String> workers = new ArrayList<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  /** Where each worker receives webhooks. */
  private final Map<String, Integer> webhooks = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<String, ChildProcess> children = new LinkedHashMap<>();

  /** Those that are away on purpose. */
  @GuardedBy("this")
  private final Set<String> killed = new HashSet<>();

  @GuardedBy("this")
  private final Set<String> frozen = new HashSet<>();

  /** How often each ended by itself. */
  @GuardedBy("this")
  private final Map<String, Integer> deaths = new HashMap<>();

  /**
   * @param say tells a person that a process was started again
   */
  DemoFleet(
      Path folder,
      LocalConfig config,
      int workers,
      Plan plan,
      Consumer<String> say,
      LongSupplier nanoTime) {
    this.say = say;
    this.folder = folder;
    this.config = config;
    this.plan = plan;
    this.processes = new Processes(folder.resolve("logs"));
    this.readiness = new Readiness(READY_WITHIN, nanoTime);
    for (int i = 1; i <= workers; i++) {
      this.workers.add("worker-" + i);
      ports.put("worker-" + i, Ports.free());
      webhooks.put("worker-" + i, Ports.free());
    }
    ports.put(RECONCILER, Ports.free());
  }

  /** Starts everything and returns when it takes work. */
  void startAll() {
    synchronized (this) {
      children.put(SANDBOX, sandbox());
      ports.keySet().forEach(name -> children.put(name, service(name)));
    }
    readiness.ofPort(child(SANDBOX), config.sandboxPort());
    ports.forEach((name, port) -> readiness.ofService(child(name), port));
  }

  /** The provider's ledger. */
  Path ledger() {
    return folder.resolve("ledger.jsonl");
  }

  private ChildProcess sandbox() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("port", String.valueOf(config.sandboxPort()));
    settings.put("ledger", ledger().toString());
    settings.put("seed", String.valueOf(plan.seed()));
    settings.put("faults", plan.faults().word());
    settings.put("webhook-faults", plan.faults().word());
    settings.put(
        "webhooks",
        webhooks.values().stream().map(LocalConfig::webhooks).collect(Collectors.joining(",")));
    settings.put("word-pause-ms", "20");
    // long enough that a strike meets sends under way
    settings.put("answer-delay-ms", plan.faults().strikes() ? "100" : "20");
    return processes.sandbox(SANDBOX, settings);
  }

  private ChildProcess service(String name) {
    Path file = folder.resolve(name + ".properties");
    try {
      Map<String, String> settings = config.settings(name, Optional.ofNullable(ports.get(name)));
      Integer receives = webhooks.get(name);
      if (receives != null) {
        LocalConfig.receive(settings, receives);
      }
      patient(settings);
      LocalConfig.write(file, "written by `tollgate demo`", settings);
    } catch (IOException e) {
      throw new ChildFailed("the configuration of " + name + " cannot be written", e);
    }
    return name.equals(RECONCILER)
        ? processes.reconciler(name, file)
        : processes.worker(name, file);
  }

  /**
   * Times that a machine keeps which runs all of this at once, from cold: what is unknown shall be
   * so because of a fault, not because the machine was slow.
   */
  private static void patient(Map<String, String> settings) {
    settings.put("tollgate.worker.lease-grace", LEASE_GRACE.toString());
    // a report takes its time here, too; asking is for what no report tells
    settings.put("tollgate.worker.follow-after", "3s");
    for (Kind kind : Kind.values()) {
      String provider = "tollgate.providers." + kind.path() + ".";
      settings.put(provider + "submit-deadline", SUBMIT_DEADLINE.toString());
      settings.put(provider + "concurrency", CONCURRENCY);
    }
    // a dead worker's partitions go to others as soon as the broker allows
    settings.put("tollgate.kafka.client.\"session.timeout.ms\"", "6000");
  }

  private synchronized ChildProcess child(String name) {
    return Objects.requireNonNull(children.get(name), name);
  }

  @Override
  public List<String> workers() {
    return List.copyOf(workers);
  }

  @Override
  public void kill(String worker) {
    synchronized (this) {
      killed.add(worker);
    }
    child(worker).kill();
  }

  @Override
  public synchronized void start(String worker) {
    children.put(worker, service(worker));
    killed.remove(worker);
  }

  @Override
  public void freeze(String worker) {
    synchronized (this) {
      frozen.add(worker);
    }
    child(worker).pause();
  }

  @Override
  public void thaw(String worker) {
    child(worker).resume();
    synchronized (this) {
      frozen.remove(worker);
    }
  }

  @Override
  public synchronized int up() {
    int up = 0;
    for (String worker : workers) {
      if (!frozen.contains(worker) && child(worker).isAlive()) {
        up++;
      }
    }
    return up;
  }

  @Override
  public synchronized List<String> tend() {
    List<String> hopeless = new ArrayList<>();
    for (ChildProcess child : List.copyOf(children.values())) {
      String name = child.name();
      if (child.isAlive() || killed.contains(name)) {
        continue;
      }
      boolean again = !name.equals(SANDBOX) && deaths.merge(name, 1, Integer::sum) <= DEATHS_MAX;
      if (again) {
        say.accept("%s; it is started again".formatted(end(child, 1)));
        children.put(name, service(name));
      } else {
        hopeless.add(end(child, TAIL_LINES));
      }
    }
    return hopeless;
  }

  private static String end(ChildProcess child, int lines) {
    return "%s ended with status %d: %s"
        .formatted(
            child.name(), child.exitStatus().orElse(-1), String.join(" / ", child.logTail(lines)));
  }

  /** Together: each waits for what it has sent. */
  @Override
  public void stop() {
    List<Thread> stopping = new ArrayList<>();
    for (String name : ports.keySet()) {
      stopping.add(Thread.ofVirtual().start(() -> child(name).stop(STOP_WITHIN)));
    }
    try {
      for (Thread thread : stopping) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChildFailed("interrupted while stopping", e);
    }
  }

  /** Ends at once what still runs. */
  @Override
  public void close() {
    processes.running().forEach(ChildProcess::kill);
    processes.close();
  }
}
