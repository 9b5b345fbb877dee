package dev.tollgate.schema.kafka;

import dev.tollgate.schema.Code;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Headers of a dead letter: origin and reason, under the names that tools for Spring Kafka (numbers
 * big-endian) and Kafka Connect (text) show already, and our own. Each is capped and replaces what
 * an earlier round wrote, so a record that comes back again and again does not grow.
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

  /** When its message was sent for the first time, RFC 3339; absent if its record did not say. */
  public static final String FIRST_SENT_AT = "tollgate-first-sent-at";

  /** Who replayed it last, and why. */
  public static final String REPLAYED_BY = "tollgate-replayed-by";

  /** What was wrong, in words. */
  public static final String MESSAGE = SPRING + "exception-message";

  /** Of a value that did not fit: the SHA-256 of the whole, in hexadecimal. */
  public static final String ORIGINAL_SHA256 = "tollgate-original-sha256";

  /** Of a value that did not fit: how many bytes the whole has, in decimal. */
  public static final String ORIGINAL_LENGTH = "tollgate-original-length";

  /** All that is ours besides what has one of the prefixes. */
  private static final Set<String> OURS =
      Set.of(
          CODE,
          REPLAYS,
          FIRST_FAILED_AT,
          FIRST_SENT_AT,
          REPLAYED_BY,
          ORIGINAL_SHA256,
          ORIGINAL_LENGTH);

  private static final int MESSAGE_MAX = 500;
  private static final int WORD_MAX = 100;
  private static final String CUT = "...";

  private DeadLetterHeaders() {}

  /** The record's own headers, then ours. */
  static Headers of(ConsumerRecord<byte[], byte[]> record, Code code, String message, Instant now) {
    Headers earlier = record.headers();
    Headers headers = untouched(earlier);
    put(headers, CODE, code.name());
    put(headers, FIRST_FAILED_AT, firstFailedAt(earlier, now).toString());
    firstSentAt(record).ifPresent(at -> put(headers, FIRST_SENT_AT, at.toString()));
    put(headers, REPLAYS, Integer.toString(replays(earlier)));
    // from the replay that it comes back from
    keep(earlier, headers, REPLAYED_BY, MESSAGE_MAX);
    // a shortened value that comes back is still one
    keep(earlier, headers, ORIGINAL_SHA256, WORD_MAX);
    keep(earlier, headers, ORIGINAL_LENGTH, WORD_MAX);
    String short_ = capped(message, MESSAGE_MAX);
    put(headers, SPRING + "original-topic", record.topic());
    headers.add(
        SPRING + "original-partition", ByteBuffer.allocate(4).putInt(record.partition()).array());
    headers.add(
        SPRING + "original-offset", ByteBuffer.allocate(8).putLong(record.offset()).array());
    headers.add(
        SPRING + "original-timestamp", ByteBuffer.allocate(8).putLong(record.timestamp()).array());
    put(headers, SPRING + "original-timestamp-type", record.timestampType().toString());
    put(headers, SPRING + "exception-fqcn", "dev.tollgate." + code.name());
    put(headers, MESSAGE, short_);
    put(headers, CONNECT + "topic", record.topic());
    put(headers, CONNECT + "partition", Integer.toString(record.partition()));
    put(headers, CONNECT + "offset", Long.toString(record.offset()));
    put(headers, CONNECT + "exception.class.name", "dev.tollgate." + code.name());
    put(headers, CONNECT + "exception.message", short_);
    return headers;
  }

  /**
   * The headers of a letter's message when it is replayed: its producer's own, and who counts.
   *
   * @param by who replays it, when, from where and why; what is too long is cut
   */
  public static Headers replayed(Headers letter, Instant firstFailedAt, int replays, String by) {
    Headers headers = untouched(letter);
    put(headers, FIRST_FAILED_AT, firstFailedAt.toString());
    // an old message stays old
    keep(letter, headers, FIRST_SENT_AT, WORD_MAX);
    put(headers, REPLAYS, Integer.toString(replays));
    put(headers, REPLAYED_BY, capped(by, MESSAGE_MAX));
    return headers;
  }

  /** How often the record was replayed; 0 where the header is absent or no number. */
  public static int replays(Headers headers) {
    String text = text(headers, REPLAYS);
    boolean number =
        text != null && text.length() <= 9 && text.matches("[0-9]+"); // fits, whatever it says
    return number ? Integer.parseInt(text) : 0;
  }

  /** When the record first became a dead letter; {@code otherwise} where no header says so. */
  public static Instant firstFailedAt(Headers headers, Instant otherwise) {
    String text = text(headers, FIRST_FAILED_AT);
    try {
      return text == null ? otherwise : Instant.parse(text);
    } catch (DateTimeParseException _) {
      return otherwise;
    }
  }

  /**
   * When the record's message was sent for the first time: the older one of what a header carried
   * along from a replay and of the record's own timestamp; empty where neither says.
   */
  public static Optional<Instant> firstSentAt(ConsumerRecord<byte[], byte[]> record) {
    Optional<Instant> own =
        record.timestamp() > 0
            ? Optional.of(Instant.ofEpochMilli(record.timestamp()))
            : Optional.empty();
    Optional<Instant> carried = firstSentAt(record.headers());
    return carried.isPresent() && own.filter(at -> at.isBefore(carried.get())).isEmpty()
        ? carried
        : own;
  }

  /** When a header says that it was sent for the first time; empty where none does. */
  public static Optional<Instant> firstSentAt(Headers headers) {
    String text = text(headers, FIRST_SENT_AT);
    try {
      return text == null ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  private static void keep(Headers from, Headers to, String name, int most) {
    String text = text(from, name);
    if (text != null) {
      put(to, name, capped(text, most));
    }
  }

  /** Cut where it is too long; what was cut before is not cut again. */
  private static String capped(String text, int most) {
    return text.length() > most + CUT.length() ? text.substring(0, most) + CUT : text;
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
    return name.startsWith(SPRING) || name.startsWith(CONNECT) || OURS.contains(name);
  }

  /** The newest value of a header as text, or null. */
  public static @Nullable String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null
        ? null
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  /** Gives a header this text as its only value. */
  public static void put(Headers headers, String name, String value) {
    headers.remove(name);
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
