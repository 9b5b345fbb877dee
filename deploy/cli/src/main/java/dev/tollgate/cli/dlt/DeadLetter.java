package dev.tollgate.cli.dlt;

import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.key.OperationKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** One dead letter, as its record says. Immutable as far as its record is left alone. */
public record DeadLetter(ConsumerRecord<byte[], byte[]> record) {
  /** For a record that something else wrote into the topic. */
  public static final String NO_CODE = "NONE";

  private static final byte[] ABSENT = new byte[32];

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
    return DeadLetterHeaders.replays(record.headers());
  }

  /** When it was written. */
  public Instant writtenAt() {
    return Instant.ofEpochMilli(record.timestamp());
  }

  /** When it became a dead letter for the first time. */
  public Instant firstFailedAt() {
    return DeadLetterHeaders.firstFailedAt(record.headers(), writtenAt());
  }

  /** When its message was sent for the first time; empty where nothing says. */
  public Optional<Instant> firstSentAt() {
    return DeadLetterHeaders.firstSentAt(record.headers());
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

  /** The same for copies of one message, whose key and value are equal. */
  public Identity identity() {
    ByteBuffer key = ByteBuffer.wrap(digest(record.key()));
    ByteBuffer value = ByteBuffer.wrap(digest(record.value()));
    return new Identity(key.getLong(), value.getLong(), value.getLong());
  }

  /** Enough of the digests of a key and a value: many are kept at once. */
  public record Identity(long key, long value, long valueToo) {}

  /** The headers of the message as its producer sent it, in order. */
  public Headers producerHeaders() {
    return DeadLetterHeaders.untouched(record.headers());
  }

  private @Nullable String text(String header) {
    return DeadLetterHeaders.text(record.headers(), header);
  }

  private static byte[] digest(byte @Nullable [] bytes) {
    if (bytes == null) {
      return ABSENT;
    }
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
