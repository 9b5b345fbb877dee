package dev.tollgate.schema.kafka;

import dev.tollgate.schema.Code;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Writes dead letters and waits for the broker's word on each. Thread-safe where its producer is.
 */
public final class DeadLetters {
  /** What is kept of a value that the dead-letter topic does not take whole. */
  private static final int KEPT_BYTES = 64 * 1024;

  private static final int KEPT_BYTES_LEAST = 256;

  private final Producer<byte[], byte[]> producer;
  private final InstantSource clock;

  /** A record that cannot be handled, and why. */
  public record Letter(ConsumerRecord<byte[], byte[]> record, Code code, String message) {}

  public DeadLetters(Producer<byte[], byte[]> producer, InstantSource clock) {
    this.producer = producer;
    this.clock = clock;
  }

  /**
   * Writes all letters and returns when the broker has acknowledged each: only then may the offsets
   * of their records be committed.
   *
   * @throws DeadLetterFailed if one was not acknowledged; some of the others may have been written
   */
  public void write(String topic, List<Letter> letters) throws InterruptedException {
    IdentityHashMap<Letter, Future<?>> underWay = new IdentityHashMap<>();
    for (Letter letter : letters) {
      Future<?> sent = send(topic, letter, letter.record().value(), headers(letter));
      if (sent.isDone()) {
        // a topic that is not there is waited for by each send: the first one that fails is enough
        await(topic, letter, sent);
      } else {
        underWay.put(letter, sent);
      }
    }
    for (Map.Entry<Letter, Future<?>> sent : underWay.entrySet()) {
      await(topic, sent.getKey(), sent.getValue());
    }
  }

  private Headers headers(Letter letter) {
    return DeadLetterHeaders.of(letter.record(), letter.code(), letter.message(), clock.instant());
  }

  private Future<?> send(String topic, Letter letter, byte @Nullable [] value, Headers headers) {
    try {
      return producer.send(
          new ProducerRecord<>(topic, null, letter.record().key(), value, headers));
    } catch (RuntimeException e) {
      throw new DeadLetterFailed(topic, letter.record(), e);
    }
  }

  private void await(String topic, Letter letter, Future<?> sent) throws InterruptedException {
    try {
      sent.get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof RecordTooLargeException)) {
        throw new DeadLetterFailed(topic, letter.record(), e.getCause() == null ? e : e.getCause());
      }
      writeShortened(topic, letter);
    }
  }

  /**
   * A record that the topic does not take whole is kept as its beginning, its length and its
   * digest.
   */
  private void writeShortened(String topic, Letter letter) throws InterruptedException {
    byte[] value = letter.record().value();
    if (value == null) {
      throw new DeadLetterFailed(topic, letter.record(), new RecordTooLargeException("headers"));
    }
    for (int keep = Math.min(KEPT_BYTES, value.length / 2); keep >= KEPT_BYTES_LEAST; keep /= 4) {
      Headers headers = headers(letter);
      DeadLetterHeaders.put(
          headers, DeadLetterHeaders.ORIGINAL_LENGTH, Integer.toString(value.length));
      DeadLetterHeaders.put(headers, DeadLetterHeaders.ORIGINAL_SHA256, sha256(value));
      try {
        send(topic, letter, Arrays.copyOf(value, keep), headers).get();
        return;
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof RecordTooLargeException)) {
          throw new DeadLetterFailed(topic, letter.record(), e);
        }
      }
    }
    throw new DeadLetterFailed(
        topic, letter.record(), new RecordTooLargeException("even shortened"));
  }

  private static String sha256(byte[] value) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
