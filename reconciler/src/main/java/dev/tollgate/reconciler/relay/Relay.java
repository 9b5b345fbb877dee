package dev.tollgate.reconciler.relay;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Ending;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.worker.loop.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes outbox rows, oldest first. Confined to its loop's thread. */
public final class Relay implements Step {
  private static final Logger log = LoggerFactory.getLogger(Relay.class);

  /** Settings of a producer that events go out through: in large batches, soon. */
  public static final Map<String, Object> PRODUCER =
      Map.of(
          ProducerConfig.LINGER_MS_CONFIG, 5,
          ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024,
          // what is too large, the broker says
          ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 4 * 1024 * 1024);

  private static final String DUTY = "relay";

  private final OperationStore store;
  private final Producer<byte[], byte[]> producer;
  private final Telling telling;
  private final int batch;
  private final Duty duty;
  private final RelayListener listener;
  private final Consumer<List<OutboxRow>> beforeForgetting;

  /**
   * A relay of one database to one cluster.
   *
   * @param telling makes the events
   * @param batch rows of one round, about
   * @param holder random id of this relay
   * @param listener hears what the broker acknowledged
   * @param beforeForgetting hears of rows that were acknowledged, before they are deleted; should
   *     it throw, or this process die, it hears of them again
   */
  public Relay(
      OperationStore store,
      Producer<byte[], byte[]> producer,
      Telling telling,
      int batch,
      UUID holder,
      LongSupplier nanoTime,
      RelayListener listener,
      Consumer<List<OutboxRow>> beforeForgetting) {
    this.store = store;
    this.producer = producer;
    this.telling = telling;
    this.batch = batch;
    this.duty = new Duty(store, DUTY, holder, nanoTime);
    this.listener = listener;
    this.beforeForgetting = beforeForgetting;
  }

  @Override
  public boolean runOnce() throws InterruptedException {
    if (!duty.held()) {
      return false;
    }
    List<OutboxRow> rows = store.outbox(batch);
    Map<OperationKey, Ending> endings = endings(rows);
    List<Future<?>> sent = new ArrayList<>(rows.size());
    for (OutboxRow row : rows) {
      sent.add(producer.send(telling.record(row, endings.get(row.key()))));
    }
    int acknowledged = acknowledged(rows, sent);
    List<OutboxRow> done = rows.subList(0, acknowledged);
    beforeForgetting.accept(done);
    store.relayed(done.stream().map(OutboxRow::id).distinct().toList());
    listener.relayed(acknowledged);
    tell(done, endings);
    return rows.size() >= batch && acknowledged > 0;
  }

  private void tell(List<OutboxRow> done, Map<OperationKey, Ending> endings) {
    for (OutboxRow row : done) {
      Ending ending = endings.get(row.key());
      if (ending != null && isAskedFor(row)) {
        listener.told(row, ending);
      }
    }
  }

  /** Those that were found are few, and what they cost is of interest. */
  private static boolean isAskedFor(OutboxRow row) {
    return row.state().terminal()
        || (row.state() == OperationState.ACCEPTED && row.reason() == Code.FOUND);
  }

  /** One statement for all of a round, and none where nothing was finished or found. */
  private Map<OperationKey, Ending> endings(List<OutboxRow> rows) {
    List<OutboxRow> finished = rows.stream().filter(Relay::isAskedFor).toList();
    return finished.isEmpty() ? Map.of() : store.endings(finished);
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
}
