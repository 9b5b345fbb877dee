package dev.tollgate.embedded;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tollgate.embedded.ServicesException.Reason;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;

/**
 * One container that can be killed, frozen and started again with the port that it had.
 * Thread-safe.
 */
final class ManagedContainer {
  private static final Duration POLL = Duration.ofMillis(50);

  private static final Duration KILL_PATIENCE = Duration.ofSeconds(10);

  private final String name;
  private final GenericContainer<?> container;
  private final int port;
  private final Duration startTimeout;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param inside the port that the server listens on in its container
   * @param stated the port on this machine; empty: a free one. It is fixed either way, since an
   *     engine gives a restarted container another port otherwise.
   */
  ManagedContainer(
      String name,
      GenericContainer<?> container,
      int inside,
      OptionalInt stated,
      Duration startTimeout) {
    this.name = name;
    this.container = container;
    this.port = stated.orElseGet(Ports::free);
    this.startTimeout = startTimeout;
    PortBinding binding = new PortBinding(Binding.bindPort(port), new ExposedPort(inside));
    container.withExposedPorts(inside);
    container.withStartupTimeout(startTimeout);
    container.withCreateContainerCmdModifier(
        command -> {
          HostConfig host = Objects.requireNonNullElseGet(command.getHostConfig(), HostConfig::new);
          command.withHostConfig(host.withPortBindings(binding));
        });
  }

  String host() {
    return container.getHost();
  }

  int port() {
    return port;
  }

  synchronized void startFirst(BooleanSupplier answers) {
    if (!Ports.isFree(port)) {
      throw new ServicesException(
          Reason.PORT_TAKEN,
          "%s cannot be published on port %s: another process has it; choose other ports"
              .formatted(name, Integer.toString(port)));
    }
    try {
      container.start();
    } catch (ContainerLaunchException e) {
      throw new ServicesException(
          Reason.START_FAILED, name + "'s container did not come up; its log is above", e);
    }
    try {
      awaitAnswer(answers);
    } catch (RuntimeException e) {
      container.stop();
      throw e;
    }
  }

  synchronized void start(BooleanSupplier answers) {
    requireOpen();
    if (!running()) {
      docker().startContainerCmd(container.getContainerId()).exec();
      awaitAnswer(answers);
    }
  }

  @GuardedBy("this")
  private void awaitAnswer(BooleanSupplier answers) {
    Deadline deadline = Deadline.in(startTimeout);
    while (!answers.getAsBoolean()) {
      if (!running()) {
        throw new ServicesException(
            Reason.START_FAILED,
            "%s's container ended before it answered; it said:\n%s"
                .formatted(name, LogFile.tail(container.getLogs())));
      }
      if (deadline.passed()) {
        throw new ServicesException(
            Reason.START_TIMED_OUT,
            "%s does not answer on port %s after %s s; it said:\n%s"
                .formatted(
                    name, port, startTimeout.toSeconds(), LogFile.tail(container.getLogs())));
      }
      pause();
    }
  }

  /** Sends a signal and waits for the end; kills when that takes too long. */
  synchronized void end(String signal, Duration patience) {
    requireOpen();
    if (!running()) {
      return;
    }
    thaw();
    signal(signal);
    if (!endsWithin(patience)) {
      signal("KILL");
      if (!endsWithin(KILL_PATIENCE)) {
        throw new ServicesException(
            Reason.STOP_FAILED, name + "'s container does not end although it was killed");
      }
    }
  }

  void kill() {
    end("KILL", KILL_PATIENCE);
  }

  @GuardedBy("this")
  private void signal(String signal) {
    try {
      docker().killContainerCmd(container.getContainerId()).withSignal(signal).exec();
    } catch (DockerException e) {
      if (running()) {
        throw new ServicesException(Reason.STOP_FAILED, name + "'s container took no signal", e);
      }
    }
  }

  @GuardedBy("this")
  private boolean endsWithin(Duration time) {
    Deadline deadline = Deadline.in(time);
    while (running()) {
      if (deadline.passed()) {
        return false;
      }
      pause();
    }
    return true;
  }

  synchronized void freeze() {
    requireOpen();
    docker().pauseContainerCmd(container.getContainerId()).exec();
  }

  synchronized void thaw() {
    requireOpen();
    if (Boolean.TRUE.equals(state().getPaused())) {
      docker().unpauseContainerCmd(container.getContainerId()).exec();
    }
  }

  synchronized void close() {
    if (!closed) {
      thaw(); // engines refuse to kill what is frozen
      closed = true;
      container.stop();
    }
  }

  @GuardedBy("this")
  private void requireOpen() {
    if (closed) {
      throw new ServicesException(Reason.NOT_RUNNING, name + " is closed; open a new one");
    }
  }

  synchronized boolean isUp() {
    return !closed && running();
  }

  private boolean running() {
    return Boolean.TRUE.equals(state().getRunning());
  }

  private InspectContainerResponse.ContainerState state() {
    return docker().inspectContainerCmd(container.getContainerId()).exec().getState();
  }

  private DockerClient docker() {
    return container.getDockerClient();
  }

  private static void pause() {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      throw ServicesException.interrupted("waiting for a container", e);
    }
  }
}
