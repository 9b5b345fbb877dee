package dev.tollgate.cli.dlt;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Decoded;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.GenerationRequest;
import dev.tollgate.schema.event.RequestDecoder;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.KnownIntent;
import dev.tollgate.schema.store.Standing;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Letters and what is stored about their operations, made by hand. */
final class Letters {
  private Letters() {}

  /** A request for one output. */
  static EventMessage request(String product, int seed, String further) {
    String line =
        "{\"kind\":\"video\",\"product\":\"%s\",\"provider\":\"keyed\",\"params\":{\"seed\":%d}%s}"
            .formatted(product, seed, further);
    return ((RequestWriter.Ready) RequestWriter.fromJsonLine(line, "/shop")).message();
  }

  static GenerationRequest decoded(EventMessage message) {
    return ((Decoded.Request)
            RequestDecoder.decode(message.keyBytes(), message.valueBytes(), message.kafkaHeaders()))
        .request();
  }

  static DeadLetter letter(long offset, Code code, int replays, EventMessage message) {
    return letter(
        offset, code, replays, message.keyBytes(), message.valueBytes(), message.kafkaHeaders());
  }

  static DeadLetter letter(long offset, Code code, int replays, String value) {
    return letter(
        offset,
        code,
        replays,
        null,
        value.getBytes(StandardCharsets.UTF_8),
        new org.apache.kafka.common.header.internals.RecordHeaders());
  }

  private static DeadLetter letter(
      long offset, Code code, int replays, byte @Nullable [] key, byte[] value, Headers headers) {
    DeadLetterHeaders.put(headers, DeadLetterHeaders.CODE, code.name());
    DeadLetterHeaders.put(headers, DeadLetterHeaders.REPLAYS, String.valueOf(replays));
    return new DeadLetter(
        new ConsumerRecord<>(
            "generation.requests.dlt",
            1,
            offset,
            offset,
            TimestampType.CREATE_TIME,
            0,
            value.length,
            key,
            value,
            headers,
            Optional.empty()));
  }

  static Standing standing(
      GenerationRequest request,
      OperationState state,
      @Nullable Code reason,
      @Nullable String output) {
    return new Standing(
        new KnownIntent(request.key(), request.requestHash().bytes(), state, 1, null, null),
        reason,
        null,
        output);
  }
}
