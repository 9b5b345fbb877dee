package dev.tollgate.loadtest.bench;

import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.worker.Providers;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.Submission;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What most teams run today: read a record, send it, commit now and then. Same HTTP client and
 * slots as the worker, no guard at all.
 */
final class Unguarded implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Map<String, ProviderAdapter> adapters = new HashMap<>();
  private final Map<String, Semaphore> slots = new HashMap<>();
  private final ThreadFactory threads = Thread.ofVirtual().name("send-", 0).factory();
  private final Providers providers;
  private final LongSupplier nanoTime;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread thread;
  private volatile boolean closed;

  Unguarded(TollgateConfig config, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    providers = new Providers(config.providers(), nanoTime);
    for (ProviderAdapter adapter : providers.adapters()) {
      adapters.put(adapter.profile().name(), adapter);
      slots.put(adapter.profile().name(), new Semaphore(adapter.profile().concurrency()));
    }
    consumer =
        new Clients(config.kafka().bootstrapServers(), config.kafka().client())
            .consumer(
                config.kafka().workerGroup(),
                Map.of("max.poll.records", config.worker().pollRecords()));
    consumer.subscribe(List.of(new Topics(config.kafka().topicPrefix()).requests()));
    thread = Thread.ofPlatform().name("unguarded").start(this::run);
  }

  private void run() {
    try {
      while (!closed) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
          send(record);
        }
        consumer.commitAsync();
      }
    } catch (WakeupException _) {
      // closing
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
    JsonNode request = JSON.readTree(record.value());
    String provider = request.get("provider").asString();
    ProviderAdapter adapter = adapters.get(provider);
    Semaphore free = slots.get(provider);
    if (adapter == null || free == null) {
      throw new IllegalArgumentException("provider " + provider);
    }
    free.acquire();
    byte[] params = request.get("params").toString().getBytes(StandardCharsets.UTF_8);
    String key = new String(record.key(), StandardCharsets.UTF_8);
    threads
        .newThread(
            () -> {
              try {
                long now = nanoTime.getAsLong();
                long until = now + adapter.profile().timing().submitDeadline().toNanos();
                adapter.submit(
                    new Submission(
                        key, params, "tg-" + key.substring(key.length() - 32), until, until));
              } finally {
                free.release();
              }
            })
        .start();
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    consumer.close();
    providers.close();
  }
}
