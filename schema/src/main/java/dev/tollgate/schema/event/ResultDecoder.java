package dev.tollgate.schema.event;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.json.Excerpt;
import dev.tollgate.schema.json.StrictJson;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.ProviderName;
import dev.tollgate.schema.key.RequestHash;
import dev.tollgate.schema.key.Sha256;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Decodes records of the events topic. Members and reason codes that this build does not know are
 * skipped: a later build may add some within version 1. Stateless and thread-safe.
 */
public final class ResultDecoder {
  private ResultDecoder() {}

  /** The result that a record holds, or why it holds none. Never throws, whatever the bytes. */
  public static DecodedResult decode(
      byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    try {
      return new DecodedResult.Result(read(key, value, headers));
    } catch (RefusedException e) {
      return Refused.of(e);
    } catch (RuntimeException e) {
      return Refused.ofFault(e);
    }
  }

  private static ResultEvent read(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    byte[] document = RecordReader.value(value);
    String recordKey = RecordReader.key(key);
    CloudEvent event =
        CloudEvent.read(RecordHeaders.read(headers), recordKey, ResultDecoder::isResultType);
    if (event == null) {
      throw RefusedException.invalid("the record has no ce_ headers");
    }
    Fields fields = Fields.read(StrictJson.verbatim(), document);
    ResultEvent result = result(fields);
    RecordReader.sameKey(recordKey, result.key());
    if (!event.type().equals(CloudEvent.resultType(result.state()))
        || !event.id().equals(result.id())) {
      throw RefusedException.invalid("headers ce_type and ce_id do not agree with the body");
    }
    return result;
  }

  private static boolean isResultType(String type) {
    return Arrays.stream(ResultEvent.State.values())
        .anyMatch(state -> CloudEvent.resultType(state).equals(type));
  }

  private static ResultEvent result(Fields fields) {
    String stateName = fields.requiredText("state");
    ResultEvent.State state = ResultEvent.State.ofWireName(stateName);
    if (state == null) {
      throw RefusedException.invalid("state " + Excerpt.of(stateName) + " is not known");
    }
    Instant occurredAt = fields.time("occurred_at");
    if (occurredAt == null) {
      throw Fields.missing("occurred_at");
    }
    Fields output = fields.object("output");
    if ((state == ResultEvent.State.COMPLETE) != (output != null)) {
      throw RefusedException.invalid("field output belongs to the state complete, and to no other");
    }
    return new ResultEvent(
        OperationKey.parse(fields.requiredText("key")),
        state,
        fields.requiredCount("version"),
        ProviderName.check(fields.requiredText("provider")),
        fields.text("remote_id"),
        output == null ? null : output(output),
        code(fields.text("code")),
        occurredAt,
        fields.requiredCount("fence"),
        details(fields));
  }

  private static ResultEvent.Details details(Fields fields) {
    String hash = fields.text("request_hash");
    Fields price = fields.object("price");
    String stream = fields.text("stream");
    try {
      return new ResultEvent.Details(
          hash == null ? null : RequestHash.parse(hash),
          fields.text("production_task"),
          price == null
              ? null
              : new ResultEvent.Price(
                  Money.of(price.requiredText("amount")), price.requiredText("currency")),
          fields.text("reason"),
          stream == null ? null : URI.create(stream));
    } catch (RefusedException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw RefusedException.invalid("field request_hash, price or stream: " + e.getMessage());
    }
  }

  private static ResultEvent.Output output(Fields fields) {
    String digest = fields.requiredText("digest");
    if (!digest.startsWith(ResultEvent.Output.DIGEST_PREFIX)) {
      throw RefusedException.invalid("field digest does not start with sha256:");
    }
    String hex = digest.substring(ResultEvent.Output.DIGEST_PREFIX.length());
    try {
      return new ResultEvent.Output(
          fields.requiredText("address"),
          Sha256.parse(hex),
          fields.requiredCount("length"),
          fields.text("content_type"));
    } catch (RefusedException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw RefusedException.invalid("field output: " + e.getMessage());
    }
  }

  private static @Nullable Code code(@Nullable String name) {
    if (name == null) {
      return null;
    }
    for (Code code : Code.values()) {
      if (code.name().equals(name)) {
        return code;
      }
    }
    return null;
  }
}
