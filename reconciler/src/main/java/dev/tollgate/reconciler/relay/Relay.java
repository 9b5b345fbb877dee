package dev.tollgate.reconciler.relay;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.ReconcileEvent;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.schema.store.StoredOutput;
import dev.tollgate.worker.loop.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes outbox rows, oldest first. Confined to its loop's thread. */
public final class Relay implements Step {
  private static final Logger log = LoggerFactory.getLogger(Relay.class);

  /** Settings of a producer that events go out through: in large batches, soon. */
  public static final Map<String, Object> PRODUCER =
      Map.of(ProducerConfig.LINGER_MS_CONFIG, 5, ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);

  private static final String DUTY = "relay";
  private static final Duration DUTY_TTL = Duration.ofSeconds(6);

  private final OperationStore store;
  private final Producer<byte[], byte[]> producer;
  private final Topics topics;
  private final int batch;
  private final UUID holder;
  private final LongSupplier nanoTime;
  private final IntConsumer relayed;

  private boolean onDuty;
  private long dutyAskedAt;

  /**
   * A relay of one database to one cluster.
   *
   * @param batch rows of one round, about
   * @param holder random id of this relay
   * @param relayed hears how many rows the broker acknowledged
   */
  public Relay(
      OperationStore store,
      Producer<byte[], byte[]> producer,
      Topics topics,
      int batch,
      UUID holder,
      LongSupplier nanoTime,
      IntConsumer relayed) {
    this.store = store;
    this.producer = producer;
    this.topics = topics;
    this.batch = batch;
    this.holder = holder;
    this.nanoTime = nanoTime;
    this.relayed = relayed;
    this.dutyAskedAt = nanoTime.getAsLong() - DUTY_TTL.toNanos();
  }

  @Override
  public boolean runOnce() throws InterruptedException {
    if (!onDuty()) {
      return false;
    }
    List<OutboxRow> rows = store.outbox(batch);
    List<Future<?>> sent = new ArrayList<>(rows.size());
    for (OutboxRow row : rows) {
      EventMessage message = message(row);
      sent.add(
          producer.send(message.toRecord(row.reconcile() ? topics.reconcile() : topics.events())));
    }
    int acknowledged = acknowledged(rows, sent);
    List<OutboxRow> done = rows.subList(0, acknowledged);
    store.relayed(done.stream().map(OutboxRow::id).distinct().toList());
    relayed.accept(acknowledged);
    return rows.size() >= batch && acknowledged > 0;
  }

  private boolean onDuty() {
    long now = nanoTime.getAsLong();
    if (now - dutyAskedAt > DUTY_TTL.toNanos() / 3) {
      onDuty = store.duty(DUTY, holder, DUTY_TTL);
      dutyAskedAt = now;
    }
    return onDuty;
  }

  /**
   * How many rows from the first on are done: all before the first id that was not acknowledged
   * whole. What follows it is published again in order, so that the last word on an operation stays
   * the last one.
   */
  private static int acknowledged(List<OutboxRow> rows, List<Future<?>> sent)
      throws InterruptedException {
    for (int i = 0; i < rows.size(); i++) {
      try {
        sent.get(i).get();
      } catch (ExecutionException e) {
        OutboxRow failed = rows.get(i);
        log.warn(
            "event {} of {} was not acknowledged; it is published again, and those after it",
            failed.id(),
            failed.key(),
            e.getCause());
        while (i > 0 && rows.get(i - 1).id() == failed.id()) {
          i--;
        }
        return i;
      }
    }
    return rows.size();
  }

  private static EventMessage message(OutboxRow row) {
    if (row.reconcile()) {
      Code reason = row.reason();
      return new ReconcileEvent(
              row.key(), row.fence(), reason == null ? Code.OUTCOME_UNKNOWN : reason)
          .toMessage();
    }
    return new ResultEvent(
            row.key(),
            ResultEvent.State.valueOf(row.state().name()),
            row.version(),
            row.provider(),
            row.remoteId(),
            output(row.output()),
            row.reason(),
            row.at(),
            row.fence())
        .toMessage();
  }

  private static ResultEvent.@Nullable Output output(@Nullable StoredOutput output) {
    return output == null
        ? null
        : new ResultEvent.Output(
            output.address(), Sha256.fromBytes(output.sha256()), output.length());
  }
}
