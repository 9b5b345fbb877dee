package dev.tollgate.schema.kafka;

import dev.tollgate.schema.health.Vitals.Dependency;
import dev.tollgate.schema.health.Vitals.Standing;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** Whether a client has a broker to speak to, as it knows itself. Stateless. */
public final class Brokers {
  private static final String CONNECTIONS = "connection-count";

  private Brokers() {}

  /**
   * Judged by open connections, which a consumer that polls always has. May be called from any
   * thread, unlike all else of a consumer.
   */
  public static Dependency of(Consumer<?, ?> consumer) {
    double open = 0;
    for (Map.Entry<MetricName, ? extends Metric> metric : consumer.metrics().entrySet()) {
      if (metric.getKey().name().equals(CONNECTIONS)
          && metric.getValue().metricValue() instanceof Double connections) {
        open = Math.max(open, connections);
      }
    }
    return new Dependency(
        "kafka",
        open > 0 ? Standing.UP : Standing.DOWN,
        "%d connections to brokers".formatted((long) open));
  }
}
