package dev.tollgate.worker.intake;

import dev.tollgate.schema.event.GenerationRequest;
import dev.tollgate.worker.gate.GateKey;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record that was understood. */
record Arrival(ConsumerRecord<byte[], byte[]> record, GenerationRequest request, GateKey gateKey) {
  Arrival(ConsumerRecord<byte[], byte[]> record, GenerationRequest request) {
    this(record, request, new GateKey(request.key().bytes(), request.requestHash().bytes()));
  }
}
