package dev.tollgate.reconciler.relay;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.event.ReconcileEvent;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Ending;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.schema.store.StoredOutput;
import dev.tollgate.worker.reading.StreamAddresses;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Makes the records that tell of changes. Immutable.
 *
 * @param topics where they go
 * @param currency what prices are in
 * @param streaming the providers whose output is a stream
 * @param streams where those are read
 */
public record Telling(
    Topics topics, String currency, Set<String> streaming, StreamAddresses streams) {

  /**
   * The record of an outbox row.
   *
   * @param ending what is stored about its operation, where that is finished
   */
  ProducerRecord<byte[], byte[]> record(OutboxRow row, @Nullable Ending ending) {
    return row.reconcile()
        ? reconcile(row).toMessage().toRecord(topics.reconcile())
        : result(row, ending).toMessage().toRecord(topics.events());
  }

  private static ReconcileEvent reconcile(OutboxRow row) {
    Code reason = row.reason();
    return new ReconcileEvent(
        row.key(), row.fence(), reason == null ? Code.OUTCOME_UNKNOWN : reason);
  }

  private ResultEvent result(OutboxRow row, @Nullable Ending stored) {
    // one round may tell of an operation on its way and at its end: what is stored belongs to the
    // end
    boolean ends = row.state() == OperationState.COMPLETE || row.state() == OperationState.FAILED;
    Ending ending = ends ? stored : null;
    return new ResultEvent(
        row.key(),
        ResultEvent.State.valueOf(row.state().name()),
        row.version(),
        row.provider(),
        row.remoteId(),
        ending == null ? null : output(ending.output()),
        row.reason(),
        row.at(),
        row.fence(),
        ending == null ? onItsWay(row) : details(row.state(), ending));
  }

  /** Its stream begins when it is accepted. */
  private ResultEvent.Details onItsWay(OutboxRow row) {
    return Optional.of(row)
        .filter(told -> told.state() == OperationState.ACCEPTED)
        .filter(told -> streaming.contains(told.provider()))
        .flatMap(told -> streams.of(told.key()))
        .map(ResultEvent.Details::readAt)
        .orElse(ResultEvent.Details.NONE);
  }

  private static ResultEvent.@Nullable Output output(@Nullable StoredOutput output) {
    return output == null
        ? null
        : new ResultEvent.Output(
            output.address(),
            Sha256.fromBytes(output.sha256()),
            output.length(),
            output.contentType());
  }

  /** A failed operation may have cost nothing: its price would be taken for what was paid. */
  private ResultEvent.Details details(OperationState state, Ending ending) {
    Long price = state == OperationState.COMPLETE ? ending.price() : null;
    return ResultEvent.Details.ended(
        ending.requestHash(),
        ending.productionTask(),
        price == null ? null : new ResultEvent.Price(new Money(price), currency),
        ending.why());
  }
}
