package dev.tollgate.cli.serve;

import dev.tollgate.schema.config.MetricsConfig;
import dev.tollgate.schema.config.TollgateConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.security.Security;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one {@link Service} until the process is told to end, then drains it. One per process; not
 * for use by several threads.
 */
public final class ServiceProcess {
  private static final Logger log = LoggerFactory.getLogger(ServiceProcess.class);

  /** Exit status of a process that has to be started anew: EX_TEMPFAIL of sysexits.h. */
  public static final int START_ANEW = 75;

  private static final Duration ASK_EVERY = Duration.ofMillis(250);

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean failed;

  private ServiceProcess() {}

  /**
   * Wires, starts and serves until SIGTERM or SIGINT, upon which the process ends with status 0
   * once it has drained.
   *
   * @param role {@code worker} or {@code reconciler}
   * @param wire makes the service; its meters go to the registry it is given
   * @return the process's exit status: 0 when it was told to end, {@link #START_ANEW} when it has
   *     to be started anew
   * @throws IOException when the address for metrics and health cannot be had
   */
  public static int run(TollgateConfig config, String role, Function<MeterRegistry, Service> wire)
      throws IOException {
    // a name that was not found for a moment must not stay unknown for the JDK's ten seconds
    Security.setProperty("networkaddress.cache.negative.ttl", "1");
    return new ServiceProcess().serve(config, role, wire);
  }

  private int serve(TollgateConfig config, String role, Function<MeterRegistry, Service> wire)
      throws IOException {
    PrometheusMeterRegistry served = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    MetricsConfig.Otlp otlp = config.metrics().otlp();
    MeterRegistry registry =
        otlp.url().isEmpty() ? served : Otlp.beside(served, otlp.url().get(), otlp.every(), role);
    try (JvmMetrics _ = new JvmMetrics(registry)) {
      Service service = new CloseOnce(wire.apply(registry));
      try {
        return serve(config, served, service);
      } finally {
        service.close();
      }
    } catch (IOException | RuntimeException e) {
      failed = true;
      throw e;
    } finally {
      registry.close();
      log.info("ended");
      stopped.countDown();
    }
  }

  private int serve(TollgateConfig config, PrometheusMeterRegistry registry, Service service)
      throws IOException {
    Health health = new Health(service.vitals());
    try (HttpEndpoint _ = http(config, registry, health)) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::end, "stop"));
      service.start();
      health.serving();
      Optional<String> broken = awaitStop(service);
      health.draining();
      broken.ifPresentOrElse(
          why -> log.error("this process has to be started anew: {}", why),
          () -> log.info("told to end: draining"));
      service.close(); // metrics and health are served for as long as it drains
      return broken.isPresent() ? START_ANEW : 0;
    }
  }

  private static @Nullable HttpEndpoint http(
      TollgateConfig config, PrometheusMeterRegistry registry, Health health) throws IOException {
    if (config.http().port().isEmpty()) {
      return null;
    }
    int port = config.http().port().getAsInt();
    try {
      return HttpEndpoint.open(config.http().host(), port, registry, health);
    } catch (IOException e) {
      throw new IOException(
          "metrics and health cannot be served on %s:%s: %s"
              .formatted(config.http().host(), String.valueOf(port), e.getMessage()),
          e);
    }
  }

  private Optional<String> awaitStop(Service service) {
    try {
      while (!stop.await(ASK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        Optional<String> broken = service.broken();
        if (broken.isPresent()) {
          return broken;
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // somebody ends this thread: drain as well
    }
    return Optional.empty();
  }

  /**
   * The hook's work: the process ends when the hook returns, so it waits for the drain. A service
   * that was told to end and did has not failed: its status is 0, not the signal's.
   */
  private void end() {
    boolean told = stopped.getCount() > 0;
    stop.countDown();
    try {
      stopped.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return;
    }
    if (told && !failed) {
      System.out.flush();
      System.err.flush();
      Runtime.getRuntime().halt(0); // the only way to a status of our own from here
    }
  }
}
