package dev.tollgate.loadtest.bench;

import dev.tollgate.reconciler.relay.Relay;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.worker.Providers;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What most teams run today: read a record, send it, tell others what came of it, commit now and
 * then. Same HTTP client, slots and events as the worker, no guard at all. It can also keep the
 * answer to itself: nobody could run that, since the output is paid for and lost, but it is the
 * least that a send costs.
 */
final class Unguarded implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Map<String, ProviderAdapter> adapters = new HashMap<>();
  private final Map<String, Semaphore> slots = new HashMap<>();
  private final ThreadFactory threads = Thread.ofVirtual().name("send-", 0).factory();
  private final Providers providers;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Topics topics;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final @Nullable KafkaProducer<byte[], byte[]> producer;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * @param tells whether it publishes what came of a send
   */
  Unguarded(TollgateConfig config, boolean tells, InstantSource clock, LongSupplier nanoTime) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    // without a database there is no installation, and no callback that could come
    providers = new Providers(config, new byte[32], clock, nanoTime);
    for (ProviderAdapter adapter : providers.adapters()) {
      adapters.put(adapter.profile().name(), adapter);
      slots.put(adapter.profile().name(), new Semaphore(adapter.profile().concurrency()));
    }
    topics = new Topics(config.kafka().topicPrefix());
    Clients clients = new Clients(config.kafka().bootstrapServers(), config.kafka().client());
    producer = tells ? clients.producer(Relay.PRODUCER) : null;
    consumer =
        clients.consumer(
            config.kafka().workerGroup(),
            Map.of("max.poll.records", config.worker().pollRecords()));
    consumer.subscribe(List.of(topics.requests()));
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
                SubmitResult result =
                    adapter.submit(
                        new Submission(
                            key, params, "tg-" + key.substring(key.length() - 32), until, until));
                if (producer != null && result.verdict() instanceof Verdict.Accepted accepted) {
                  // nobody waits for it, as nobody waits for anything here
                  Future<?> _ =
                      producer.send(event(key, provider, accepted).toRecord(topics.events()));
                }
              } finally {
                free.release();
              }
            })
        .start();
  }

  private EventMessage event(String key, String provider, Verdict.Accepted accepted) {
    return new ResultEvent(
            OperationKey.parse(key),
            ResultEvent.State.ACCEPTED,
            2,
            provider,
            accepted.remoteId(),
            null,
            Code.PROVIDER_ACCEPTED,
            clock.instant(),
            1,
            ResultEvent.Details.NONE)
        .toMessage();
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
    if (producer != null) {
      producer.close();
    }
    providers.close();
  }
}
