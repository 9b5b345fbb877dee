package dev.tollgate.schema.event;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * An event ready to be published: text all through, so that an outbox can hold it as it is.
 * Immutable.
 *
 * @param key the operation key's text
 * @param value the body, JSON text
 * @param headers header names and values, in order
 */
public record EventMessage(String key, String value, Map<String, String> headers) {
  public EventMessage {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** The body in UTF-8. */
  public byte[] valueBytes() {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  /** The key in UTF-8. */
  public byte[] keyBytes() {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /** The headers as Kafka takes them. */
  public Headers kafkaHeaders() {
    Headers kafka = new RecordHeaders();
    headers.forEach((name, text) -> kafka.add(name, text.getBytes(StandardCharsets.UTF_8)));
    return kafka;
  }

  /** The record that publishes this event to a topic, on the partition of its key. */
  public ProducerRecord<byte[], byte[]> toRecord(String topic) {
    return new ProducerRecord<>(topic, null, keyBytes(), valueBytes(), kafkaHeaders());
  }
}
