package dev.tollgate.schema.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A dead letter was not acknowledged: its record's offset is not committed, its partition waits,
 * and it is tried again.
 */
public final class DeadLetterFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DeadLetterFailed(String topic, ConsumerRecord<byte[], byte[]> record, Throwable cause) {
    super(
        "no dead letter for %s-%d@%d in %s: %s; its partition waits and it is tried again"
            .formatted(record.topic(), record.partition(), record.offset(), topic, cause),
        cause);
  }
}
