package dev.tollgate.schema.kafka;

import dev.tollgate.schema.Code;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Headers of a dead letter: origin and reason, under the names that tools for Spring Kafka (numbers
 * big-endian) and Kafka Connect (text) show already, and our own. They replace what an earlier
 * round wrote, so a record that comes back again and again does not grow.
 */
public final class DeadLetterHeaders {
  static final String SPRING = "kafka_dlt-";
  static final String CONNECT = "__connect.errors.";

  /** The {@link Code}. */
  public static final String CODE = "tollgate-code";

  /** How often the record was replayed, in decimal. */
  public static final String REPLAYS = "tollgate-replays";

  /** When it first became a dead letter, RFC 3339. */
  public static final String FIRST_FAILED_AT = "tollgate-first-failed-at";

  /** Who replayed it last, and why. */
  public static final String REPLAYED_BY = "tollgate-replayed-by";

  /** What was wrong, in words. */
  public static final String MESSAGE = SPRING + "exception-message";

  /** Of a value that did not fit: the SHA-256 of the whole, in hexadecimal. */
  public static final String ORIGINAL_SHA256 = "tollgate-original-sha256";

  private static final int MESSAGE_MAX = 500;

  private DeadLetterHeaders() {}

  /** The record's own headers, then ours. */
  static Headers of(ConsumerRecord<byte[], byte[]> record, Code code, String message, Instant now) {
    Headers headers = untouched(record.headers());
    String first = text(record.headers(), FIRST_FAILED_AT);
    String replays = text(record.headers(), REPLAYS);
    add(headers, CODE, code.name());
    add(headers, FIRST_FAILED_AT, first == null ? now.toString() : first);
    add(headers, REPLAYS, replays == null ? "0" : replays);
    String short_ =
        message.length() > MESSAGE_MAX ? message.substring(0, MESSAGE_MAX) + "..." : message;
    add(headers, SPRING + "original-topic", record.topic());
    headers.add(
        SPRING + "original-partition", ByteBuffer.allocate(4).putInt(record.partition()).array());
    headers.add(
        SPRING + "original-offset", ByteBuffer.allocate(8).putLong(record.offset()).array());
    headers.add(
        SPRING + "original-timestamp", ByteBuffer.allocate(8).putLong(record.timestamp()).array());
    add(headers, SPRING + "original-timestamp-type", record.timestampType().toString());
    add(headers, SPRING + "exception-fqcn", "dev.tollgate." + code.name());
    add(headers, MESSAGE, short_);
    add(headers, CONNECT + "topic", record.topic());
    add(headers, CONNECT + "partition", Integer.toString(record.partition()));
    add(headers, CONNECT + "offset", Long.toString(record.offset()));
    add(headers, CONNECT + "exception.class.name", "dev.tollgate." + code.name());
    add(headers, CONNECT + "exception.message", short_);
    return headers;
  }

  /** The headers that the producer of the record gave it. */
  public static Headers untouched(Headers all) {
    Headers headers = new RecordHeaders();
    for (Header header : all) {
      if (!ours(header.key())) {
        headers.add(header);
      }
    }
    return headers;
  }

  /** Whether a header is written by dead-lettering or replaying. */
  public static boolean ours(String name) {
    return name.startsWith(SPRING)
        || name.startsWith(CONNECT)
        || name.equals(CODE)
        || name.equals(REPLAYS)
        || name.equals(FIRST_FAILED_AT)
        || name.equals(REPLAYED_BY);
  }

  /** The newest value of a header as text, or null. */
  public static @Nullable String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null
        ? null
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  /** Adds a header whose value is text. */
  public static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
