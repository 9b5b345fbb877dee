package dev.tollgate.cli.dlt;

import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.key.OperationKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** One dead letter, as its record says. Immutable as far as its record is left alone. */
public record DeadLetter(ConsumerRecord<byte[], byte[]> record) {
  /** For a record that something else wrote into the topic. */
  public static final String NO_CODE = "NONE";

  public Place place() {
    return new Place(record.partition(), record.offset());
  }

  /** Why it could not be handled. */
  public String code() {
    return Objects.requireNonNullElse(text(DeadLetterHeaders.CODE), NO_CODE);
  }

  public String message() {
    return Objects.requireNonNullElse(text(DeadLetterHeaders.MESSAGE), "");
  }

  /** How often it was replayed; 0 where the header is no number. */
  public int replays() {
    String text = text(DeadLetterHeaders.REPLAYS);
    if (text == null || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return 0;
    }
    return text.isEmpty() ? 0 : Integer.parseInt(text);
  }

  /** When it became a dead letter for the first time. */
  public Instant firstFailedAt() {
    String text = text(DeadLetterHeaders.FIRST_FAILED_AT);
    try {
      return text == null ? Instant.ofEpochMilli(record.timestamp()) : Instant.parse(text);
    } catch (DateTimeParseException _) {
      return Instant.ofEpochMilli(record.timestamp());
    }
  }

  /** The key as text if it can be one of ours; null if there is none. */
  public @Nullable String key() {
    byte[] key = record.key();
    if (key == null) {
      return null;
    }
    return key.length <= OperationKey.TEXT_LENGTH_MAX
        ? new String(key, StandardCharsets.UTF_8)
        : "(%d bytes)".formatted(key.length);
  }

  /** Whether the value is only the beginning of what it was, so that it cannot be sent again. */
  public boolean shortened() {
    String whole = text(DeadLetterHeaders.ORIGINAL_SHA256);
    return whole != null && !whole.equals(HexFormat.of().formatHex(digest(record.value())));
  }

  /** The same for copies of one message: a digest of key and value. */
  public String identity() {
    return HexFormat.of().formatHex(digest(record.key()))
        + HexFormat.of().formatHex(digest(record.value()));
  }

  /** The headers of the message as its producer sent it, in order. */
  public Headers producerHeaders() {
    return DeadLetterHeaders.untouched(record.headers());
  }

  private @Nullable String text(String header) {
    return DeadLetterHeaders.text(record.headers(), header);
  }

  private static byte[] digest(byte @Nullable [] bytes) {
    if (bytes == null) {
      return new byte[0];
    }
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
