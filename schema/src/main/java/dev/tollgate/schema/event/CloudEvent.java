package dev.tollgate.schema.event;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The context attributes of a CloudEvent 1.0 in the Kafka binary mode.
 *
 * @param type what happened, with its version
 * @param source who says so
 * @param id unique within the source
 * @param time when it happened
 */
record CloudEvent(String type, String source, String id, @Nullable Instant time) {
  static final String REQUEST_TYPE = "dev.tollgate.generation.request.v1";
  static final String RECONCILE_TYPE = "dev.tollgate.generation.reconcile.v1";
  static final String CHUNK_TYPE = "dev.tollgate.generation.chunk.v1";
  static final String JSON = "application/json";

  /** What our own events name as their source. */
  static final String SOURCE = "/tollgate";

  private static final String SPEC_VERSION = "1.0";
  private static final Pattern VERSIONED = Pattern.compile("(.{1,200}\\.v)([0-9]{1,9})");
  private static final Pattern JSON_TYPE =
      Pattern.compile("application/json( *; *charset=\"?utf-8\"?)?", Pattern.CASE_INSENSITIVE);

  static String resultType(ResultEvent.State state) {
    return "dev.tollgate.generation." + state.wireName() + ".v1";
  }

  /**
   * The attributes that these headers hold, or null for a record without any.
   *
   * @param recordKey text of the record's key, which a partition key must not contradict
   * @param expected accepts the types that may stand here, all of version 1
   */
  static @Nullable CloudEvent read(
      RecordHeaders headers, String recordKey, Predicate<String> expected) {
    String contentType = headers.get(RecordHeaders.CONTENT_TYPE);
    if (!headers.anyCloudEvent()) {
      checkContentType(contentType);
      return null;
    }
    String specVersion = required(headers, "specversion");
    if (!specVersion.equals(SPEC_VERSION)) {
      throw new RefusedException(
          Code.UNSUPPORTED_VERSION,
          "header ce_specversion " + Excerpt.of(specVersion) + " is not known, only 1.0 is");
    }
    String type = required(headers, "type");
    checkType(type, expected);
    String source = Fields.checkId("header ce_source", required(headers, "source"));
    String id = Fields.checkId("header ce_id", required(headers, "id"));
    String time = headers.get("ce_time");
    if (contentType == null) {
      throw RefusedException.invalid("header content-type is missing beside the ce_ headers");
    }
    checkContentType(contentType);
    if (headers.get("ce_datacontenttype") != null) {
      throw RefusedException.invalid(
          "header ce_datacontenttype stands in for content-type, which is there");
    }
    String partitionKey = headers.get("ce_partitionkey");
    if (partitionKey != null && !partitionKey.equals(recordKey)) {
      throw RefusedException.invalid("header ce_partitionkey is not the record's key");
    }
    return new CloudEvent(
        type, source, id, time == null ? null : Timestamps.parse("header ce_time", time));
  }

  private static String required(RecordHeaders headers, String attribute) {
    String value = headers.get(RecordHeaders.CE_PREFIX + attribute);
    if (value == null) {
      throw RefusedException.invalid(
          "header ce_" + attribute + " is missing beside the other ce_ headers");
    }
    return value;
  }

  private static void checkType(String type, Predicate<String> expected) {
    if (expected.test(type)) {
      return;
    }
    Matcher versioned = VERSIONED.matcher(type);
    if (versioned.matches() && expected.test(versioned.group(1) + "1")) {
      throw new RefusedException(
          Code.UNSUPPORTED_VERSION,
          "header ce_type " + Excerpt.of(type) + " is of a version that is not known, only 1 is");
    }
    throw RefusedException.invalid("header ce_type " + Excerpt.of(type) + " does not belong here");
  }

  private static void checkContentType(@Nullable String contentType) {
    if (contentType == null || JSON_TYPE.matcher(contentType).matches()) {
      return;
    }
    String hint =
        contentType.toLowerCase(Locale.ROOT).startsWith("application/cloudevents")
            ? " (CloudEvents are taken in the binary mode only)"
            : "";
    throw RefusedException.invalid(
        "header content-type " + Excerpt.of(contentType) + " is not application/json" + hint);
  }

  /** The headers that carry these attributes, in a fixed order. */
  Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("ce_specversion", SPEC_VERSION);
    headers.put("ce_type", type);
    headers.put("ce_source", source);
    headers.put("ce_id", id);
    if (time != null) {
      headers.put("ce_time", time.toString());
    }
    headers.put(RecordHeaders.CONTENT_TYPE, JSON);
    return headers;
  }
}
