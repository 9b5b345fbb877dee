package dev.tollgate.cli.serve;

import dev.tollgate.schema.config.TollgateConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.security.Security;
import java.util.concurrent.CountDownLatch;
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

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean failed;

  private ServiceProcess() {}

  /**
   * Wires, starts and serves until SIGTERM or SIGINT, upon which the process ends with status 0
   * once it has drained.
   *
   * @param wire makes the service; its meters go to the registry it is given
   * @throws IOException when the address for metrics and health cannot be had
   */
  public static void run(TollgateConfig config, Function<MeterRegistry, Service> wire)
      throws IOException {
    // a name that was not found for a moment must not stay unknown for the JDK's ten seconds
    Security.setProperty("networkaddress.cache.negative.ttl", "1");
    new ServiceProcess().serve(config, wire);
  }

  private void serve(TollgateConfig config, Function<MeterRegistry, Service> wire)
      throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (JvmMetrics _ = new JvmMetrics(registry)) {
      Service service = new CloseOnce(wire.apply(registry));
      try {
        serve(config, registry, service);
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

  private void serve(TollgateConfig config, PrometheusMeterRegistry registry, Service service)
      throws IOException {
    Health health = new Health(service::sinceProgress);
    try (HttpEndpoint _ = http(config, registry, health)) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::end, "stop"));
      service.start();
      health.serving();
      awaitStop();
      health.draining();
      log.info("told to end: draining");
      service.close(); // metrics and health are served for as long as it drains
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

  private void awaitStop() {
    try {
      stop.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // somebody ends this thread: drain as well
    }
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
