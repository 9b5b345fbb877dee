package dev.tollgate.worker.intake;

import dev.tollgate.schema.event.GenerationRequest;
import dev.tollgate.worker.gate.GateKey;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that was understood.
 *
 * @param sentSince null, but for a record that was durable in a history that is lost: the earliest
 *     moment at which its operation may have been sent
 */
record Arrival(
    ConsumerRecord<byte[], byte[]> record,
    GenerationRequest request,
    GateKey gateKey,
    @Nullable Instant sentSince) {
  Arrival(
      ConsumerRecord<byte[], byte[]> record,
      GenerationRequest request,
      @Nullable Instant sentSince) {
    this(
        record,
        request,
        new GateKey(request.key().bytes(), request.requestHash().bytes()),
        sentSince);
  }
}
