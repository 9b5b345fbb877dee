package dev.tollgate.reconciler.relay;

import dev.tollgate.schema.event.ChunkEvent;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Unpublished;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.worker.loop.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes chunks of streams, those of one operation in their order. Confined to its loop's
 * thread.
 */
public final class ChunkRelay implements Step {
  private static final Logger log = LoggerFactory.getLogger(ChunkRelay.class);
  private static final String DUTY = "chunks";

  private final Chunks chunks;
  private final Duty duty;
  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final int batch;
  private final IntConsumer relayed;

  /**
   * A relay of one database to one cluster.
   *
   * @param store knows who is on duty
   * @param batch chunks of one round, about
   * @param holder random id of this relay
   * @param relayed hears how many chunks the broker acknowledged
   */
  public ChunkRelay(
      Chunks chunks,
      OperationStore store,
      Producer<byte[], byte[]> producer,
      Topics topics,
      int batch,
      UUID holder,
      LongSupplier nanoTime,
      IntConsumer relayed) {
    this.chunks = chunks;
    this.duty = new Duty(store, DUTY, holder, nanoTime);
    this.producer = producer;
    this.topic = topics.chunks();
    this.batch = batch;
    this.relayed = relayed;
  }

  @Override
  public boolean runOnce() throws InterruptedException {
    if (!duty.held()) {
      return false;
    }
    List<Unpublished> found = chunks.outbox(batch);
    List<Future<?>> sent = new ArrayList<>(found.size());
    for (Unpublished one : found) {
      sent.add(producer.send(ChunkEvent.message(one.key(), one.chunk()).toRecord(topic)));
    }
    int acknowledged = acknowledged(found, sent);
    chunks.published(
        found.subList(0, acknowledged).stream().map(Unpublished::id).distinct().toList());
    relayed.accept(acknowledged);
    return found.size() >= batch && acknowledged > 0;
  }

  /**
   * How many chunks from the first on are done: all before the first row that was not acknowledged
   * whole. What follows it is published again behind it, so that each offset is somewhere behind
   * the one before it.
   */
  private static int acknowledged(List<Unpublished> found, List<Future<?>> sent)
      throws InterruptedException {
    for (int i = 0; i < found.size(); i++) {
      Unpublished one = found.get(i);
      try {
        sent.get(i).get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RecordTooLargeException) {
          // it would be too large for ever, and all streams would wait behind it
          log.error(
              "chunk {} is larger than the broker takes, so it is left out of the topic; whoever"
                  + " reads the stream itself gets it",
              ChunkEvent.id(one.key(), one.chunk().offset()),
              e.getCause());
          continue;
        }
        log.warn(
            "chunk {} was not acknowledged; it is published again, and those after it",
            ChunkEvent.id(one.key(), one.chunk().offset()),
            e.getCause());
        int before = i;
        while (before > 0 && found.get(before - 1).id() == one.id()) {
          before--;
        }
        return before;
      }
    }
    return found.size();
  }
}
