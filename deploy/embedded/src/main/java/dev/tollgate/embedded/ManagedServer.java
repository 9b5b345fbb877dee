package dev.tollgate.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tollgate.embedded.ServicesException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Start, stop, freeze and restart of one server process on ports that stay the same. Thread-safe;
 * calls wait for each other.
 */
final class ManagedServer {
  /** What differs between the servers. */
  interface Kind {
    String name();

    /** The command for these ports; files it needs are made here. */
    ServerProcess.Spec prepare(List<Integer> ports);

    /** Whether the server serves clients. */
    boolean answers(List<Integer> ports);
  }

  private static final Logger log = LoggerFactory.getLogger(ManagedServer.class);

  private static final Duration POLL = Duration.ofMillis(30);

  /** An orphan of a killed parent may need a moment to give its port back. */
  private static final Duration PORT_PATIENCE = Duration.ofSeconds(1);

  private static final int FREE_PORT_ATTEMPTS = 5;

  private final Kind kind;
  private final List<OptionalInt> stated;
  private final Duration startTimeout;

  @GuardedBy("this")
  private List<Integer> ports = List.of();

  @GuardedBy("this")
  private Optional<ServerProcess> process = Optional.empty();

  @GuardedBy("this")
  private boolean closed;

  ManagedServer(Kind kind, List<OptionalInt> stated, Duration startTimeout) {
    this.kind = kind;
    this.stated = List.copyOf(stated);
    this.startTimeout = startTimeout;
  }

  /** The first start: settles the ports. Free ports that are snatched away are replaced. */
  synchronized ManagedServer startFirst() {
    for (int attempt = 1; ; attempt++) {
      ports = stated.stream().map(port -> port.orElseGet(Ports::free)).toList();
      try {
        start();
        return this;
      } catch (ServicesException e) {
        boolean ours = stated.stream().allMatch(OptionalInt::isEmpty);
        if (!ours || e.reason() != Reason.PORT_TAKEN || attempt == FREE_PORT_ATTEMPTS) {
          throw e;
        }
        log.info("{}: free ports {} were taken meanwhile, trying others", kind.name(), ports);
      }
    }
  }

  synchronized int port() {
    return ports.getFirst();
  }

  synchronized boolean isUp() {
    return process.filter(ServerProcess::isAlive).isPresent();
  }

  synchronized OptionalLong pid() {
    return process.map(p -> OptionalLong.of(p.pid())).orElse(OptionalLong.empty());
  }

  synchronized void start() {
    if (closed) {
      throw new ServicesException(Reason.NOT_RUNNING, kind.name() + " is closed; open a new one");
    }
    if (process.isPresent() && process.get().isAlive()) {
      return;
    }
    requirePortsFree();
    long began = System.nanoTime();
    ServerProcess started = ServerProcess.launch(kind.prepare(ports));
    try {
      awaitAnswer(started);
    } catch (RuntimeException e) {
      killAfterFailure(started, e);
      throw e;
    }
    process = Optional.of(started);
    log.info(
        "{} answers on port {} after {} ms",
        kind.name(),
        ports.getFirst(),
        Duration.ofNanos(System.nanoTime() - began).toMillis());
  }

  private static void killAfterFailure(ServerProcess started, RuntimeException failure) {
    try {
      started.kill();
    } catch (ServicesException e) {
      failure.addSuppressed(e);
    }
  }

  @GuardedBy("this")
  private void requirePortsFree() {
    for (int port : ports) {
      Deadline deadline = Deadline.in(PORT_PATIENCE);
      while (!Ports.isFree(port)) {
        if (deadline.passed()) {
          throw portTaken(port);
        }
        pause(POLL);
      }
    }
  }

  private ServicesException portTaken(int port) {
    return new ServicesException(
        Reason.PORT_TAKEN,
        "%s cannot listen on %s:%s: another process has that port; stop it (ss -ltnp, or lsof -i) or choose other ports"
            .formatted(kind.name(), Ports.HOST, Integer.toString(port)));
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw ServicesException.interrupted("waiting for a port", e);
    }
  }

  @GuardedBy("this")
  private void awaitAnswer(ServerProcess started) {
    Deadline deadline = Deadline.in(startTimeout);
    while (!started.endsWithin(POLL)) {
      if (kind.answers(ports)) {
        return;
      }
      if (deadline.passed()) {
        throw new ServicesException(
            Reason.START_TIMED_OUT,
            "%s does not answer on port %s after %s s and was killed; %s"
                .formatted(
                    kind.name(),
                    ports.getFirst(),
                    startTimeout.toSeconds(),
                    started.spec().log().tail()));
      }
    }
    for (int port : ports) {
      if (!Ports.isFree(port)) {
        throw portTaken(port);
      }
    }
    throw new ServicesException(
        Reason.START_FAILED,
        "%s ended with status %s before it answered; %s"
            .formatted(kind.name(), started.exitValue(), started.spec().log().tail()));
  }

  /** Nothing if the server is down. */
  synchronized void stop(String signal, Duration patience) {
    process.ifPresent(
        running -> {
          running.signal("CONT"); // a frozen process handles no other signal
          running.stop(signal, patience);
        });
    process = Optional.empty();
  }

  synchronized void kill() {
    process.ifPresent(ServerProcess::kill);
    process = Optional.empty();
  }

  synchronized void freeze() {
    running().signal("STOP");
  }

  synchronized void thaw() {
    running().signal("CONT");
  }

  @GuardedBy("this")
  private ServerProcess running() {
    return process
        .filter(ServerProcess::isAlive)
        .orElseThrow(
            () ->
                new ServicesException(
                    Reason.NOT_RUNNING, kind.name() + " is not running; start it first"));
  }

  /** Stops for good. */
  synchronized void close(String signal, Duration patience) {
    closed = true;
    stop(signal, patience);
  }

  /** The ports, for messages and tests. */
  synchronized List<Integer> ports() {
    return new ArrayList<>(ports);
  }
}
