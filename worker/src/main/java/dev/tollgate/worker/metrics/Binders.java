package dev.tollgate.worker.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/**
 * Has the numbers of Kafka's own clients shown, under the names that Micrometer gives them ({@code
 * kafka.consumer...}, {@code kafka.producer...}). Thread-safe; to be closed with the clients.
 */
public final class Binders implements AutoCloseable {
  private final MeterRegistry registry;
  private final List<KafkaClientMetrics> bound = new CopyOnWriteArrayList<>();

  public Binders(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Binds a consumer, and returns it. */
  public <C extends Consumer<?, ?>> C of(C consumer) {
    bind(new KafkaClientMetrics(consumer));
    return consumer;
  }

  /** Binds a producer, and returns it. */
  public <P extends Producer<?, ?>> P of(P producer) {
    bind(new KafkaClientMetrics(producer));
    return producer;
  }

  private void bind(KafkaClientMetrics metrics) {
    metrics.bindTo(registry);
    bound.add(metrics);
  }

  @Override
  public void close() {
    bound.forEach(KafkaClientMetrics::close);
  }
}
