package dev.tollgate.loadtest.bench;

import dev.tollgate.reconciler.Reconciler;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.worker.Worker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** A process of the benchmark. It runs until its standard input ends. */
public final class BenchRole {
  private BenchRole() {}

  /**
   * Runs a role.
   *
   * @param args {@code worker}, {@code reconciler}, {@code unguarded} or {@code send-only}, and the
   *     configuration file
   */
  public static void main(String[] args) throws Exception {
    TollgateConfig config = ConfigFile.read(Optional.of(Path.of(args[1])), Map.of());
    try (AutoCloseable role = start(args[0], config)) {
      System.out.println(args[0] + " runs: " + role.getClass().getSimpleName());
      awaitEnd();
    }
  }

  private static AutoCloseable start(String role, TollgateConfig config) {
    var meters = new SimpleMeterRegistry();
    return switch (role) {
      case "worker" -> {
        var worker = new Worker(config, "bench", meters, InstantSource.system(), System::nanoTime);
        worker.start();
        yield worker;
      }
      case "reconciler" -> {
        var reconciler =
            new Reconciler(config, "bench", meters, InstantSource.system(), System::nanoTime);
        reconciler.start();
        yield reconciler;
      }
      case "unguarded" -> new Unguarded(config, true, InstantSource.system(), System::nanoTime);
      case "send-only" -> new Unguarded(config, false, InstantSource.system(), System::nanoTime);
      default -> throw new IllegalArgumentException("no such role: " + role);
    };
  }

  private static void awaitEnd() throws IOException {
    while (System.in.read() >= 0) {
      // nothing is said to it but the end
    }
  }
}
