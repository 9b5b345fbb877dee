package dev.tollgate.cli;

import dev.tollgate.cli.local.ChildFailed;
import dev.tollgate.cli.local.ChildProcess;
import dev.tollgate.cli.local.LocalConfig;
import dev.tollgate.cli.local.LocalPorts;
import dev.tollgate.cli.local.LocalStack;
import dev.tollgate.cli.local.Processes;
import dev.tollgate.cli.local.Readiness;
import dev.tollgate.embedded.Server;
import dev.tollgate.embedded.ServicesException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One local Tollgate, from its start to its end. Run and close from one thread; {@link
 * #stopAndWait()} from any.
 */
final class Up implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration WATCH_EVERY = Duration.ofSeconds(1);

  private final Path data;
  private final LocalPorts ports;
  private final Further further;
  private final PrintWriter out;
  private final LongSupplier nanoTime;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Processes processes;
  private final Readiness readiness;
  private @Nullable LocalStack stack;

  Up(Path data, LocalPorts ports, Further further, PrintWriter out, LongSupplier nanoTime) {
    this.data = data;
    this.ports = ports;
    this.further = further;
    this.out = out;
    this.nanoTime = nanoTime;
    this.processes = new Processes(data.resolve("logs"));
    this.readiness = new Readiness(PATIENCE, nanoTime);
  }

  /**
   * Starts everything, says where it is, and returns when told to stop.
   *
   * @throws Failure when the ports are taken, or a further setting cannot be used: then nothing was
   *     started
   * @throws ChildFailed when a process does not start, or dies again and again
   */
  void run() throws IOException {
    int[] taken = ports.taken();
    if (taken.length > 0) {
      throw Failure.unreachable(
          "another process listens on 127.0.0.1, port %s: is another `tollgate up` running? Stop it, or choose other ports with --port-base"
              .formatted(
                  Arrays.stream(taken)
                      .mapToObj(String::valueOf)
                      .collect(Collectors.joining(", "))));
    }
    Files.createDirectories(data);
    LocalConfig planned = LocalStack.planned(data, ports);
    planned.writeSandboxSecrets();
    further.check(planned, InstantSource.system(), nanoTime);
    say("starting PostgreSQL, Redis and Kafka in " + Project.typed(data));
    LocalStack started = LocalStack.start(data, ports);
    stack = started;
    LocalConfig config = started.config();
    LocalConfig.write(Project.configIn(data), "written by `tollgate up`", with(config.settings()));
    if (stop.getCount() == 0) {
      return; // told to stop while the servers started
    }
    say("starting sandbox provider, worker and reconciler");
    Child sandbox = new Child("sandbox", this::sandbox);
    Child worker = new Child("worker-1", name -> service(config, name));
    Child reconciler = new Child("reconciler-1", name -> service(config, name));
    readiness.ofPort(sandbox.process(), ports.sandbox());
    readiness.ofService(worker.process(), ports.workerMetrics());
    readiness.ofService(reconciler.process(), ports.reconcilerMetrics());
    new Welcome(data, ports, started.psqlUrl(), further.providers()).print(out);
    List<Watched> watched = new ArrayList<>();
    Path logs = data.resolve("logs");
    started
        .servers()
        .forEach((name, server) -> watched.add(watched(new Restarted(name, server, logs))));
    for (Child child : List.of(sandbox, worker, reconciler)) {
      watched.add(watched(child));
    }
    while (!told()) {
      watched.forEach(Watched::look);
    }
  }

  /** Waits a little for the word to stop. */
  private boolean told() {
    try {
      return stop.await(WATCH_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private ChildProcess sandbox(String name) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("port", String.valueOf(ports.sandbox()));
    settings.put("ledger", data.resolve("sandbox-ledger.jsonl").toString());
    settings.put("webhooks", LocalConfig.webhooks(ports.webhooks()));
    // so that a text is not over before somebody watches it
    settings.put("word-pause-ms", "250");
    return processes.sandbox(name, settings);
  }

  private ChildProcess service(LocalConfig config, String name) {
    boolean worker = name.startsWith("worker");
    Path file = data.resolve(name + ".properties");
    int port = worker ? ports.workerMetrics() : ports.reconcilerMetrics();
    Map<String, String> settings = config.settings(name, Optional.of(port));
    if (worker) {
      LocalConfig.receive(settings, ports.webhooks());
      settings.put("tollgate.streams.port", String.valueOf(ports.streams()));
    }
    try {
      LocalConfig.write(file, "written by `tollgate up`", with(settings));
    } catch (IOException e) {
      throw new ChildFailed("the configuration of " + name + " cannot be written", e);
    }
    return worker ? processes.worker(name, file) : processes.reconciler(name, file);
  }

  /**
   * What is made, and what is further set. Public addresses that lead to the ports of webhooks and
   * streams are anybody's own; without them, both reach this machine alone.
   */
  private Map<String, String> with(Map<String, String> made) {
    Map<String, String> all = further.with(made);
    all.putIfAbsent("tollgate.callbacks", here(ports.webhooks()));
    all.putIfAbsent("tollgate.streams.url", here(ports.streams()));
    return all;
  }

  private static String here(int port) {
    return "http://%s:%s".formatted(LocalPorts.HOST, String.valueOf(port));
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }

  /** Tells {@link #run()} to return, and waits until {@link #close()} is through. */
  void stopAndWait() {
    stop.countDown();
    try {
      stopped.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the processes, then the servers they use. */
  @Override
  public void close() {
    try {
      if (stack != null) {
        say("stopping");
      }
      processes.close();
    } finally {
      try {
        closeServers();
      } finally {
        stopped.countDown();
      }
    }
  }

  private void closeServers() {
    if (stack != null) {
      stack.close();
      say("stopped; data stays in " + Project.typed(data));
    }
  }

  private Watched watched(Watched.Subject subject) {
    return new Watched(subject, this::say, () -> stop.getCount() == 0, nanoTime);
  }

  /** A process of ours, newly started each time. */
  private static final class Child implements Watched.Subject {
    private static final int TAIL_LINES = 5;

    private final String name;
    private final Function<String, ChildProcess> starter;
    private ChildProcess process;

    Child(String name, Function<String, ChildProcess> starter) {
      this.name = name;
      this.starter = starter;
      this.process = starter.apply(name);
    }

    @Override
    public String name() {
      return name;
    }

    ChildProcess process() {
      return process;
    }

    @Override
    public boolean isAlive() {
      return process.isAlive();
    }

    @Override
    public String end() {
      return "ended with status %s; the end of %s:%n  %s"
          .formatted(
              process.exitStatus().orElse(-1),
              Project.typed(process.log()),
              String.join(System.lineSeparator() + "  ", process.logTail(TAIL_LINES)));
    }

    @Override
    public Optional<String> start() {
      process = starter.apply(name);
      return Optional.empty();
    }
  }

  /** A server, which goes on with its data on its port. */
  private record Restarted(String name, Server server, Path logs) implements Watched.Subject {
    @Override
    public boolean isAlive() {
      return server.isUp();
    }

    @Override
    public String end() {
      return "ended; its log is in " + Project.typed(logs);
    }

    @Override
    public Optional<String> start() {
      try {
        server.start();
        return Optional.empty();
      } catch (ServicesException e) {
        return Optional.of(String.valueOf(e.getMessage()));
      }
    }
  }
}
