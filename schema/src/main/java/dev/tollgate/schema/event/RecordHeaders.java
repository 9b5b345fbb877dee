package dev.tollgate.schema.event;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import dev.tollgate.schema.json.UnicodeText;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a record that this contract gives a meaning: {@code ce_*}, {@code content-type}
 * and {@code traceparent}. All others are counted against the limits and left alone. Names are
 * exact; a twin in other letter case or a second copy is a contradiction, not a choice.
 */
final class RecordHeaders {
  static final String CONTENT_TYPE = "content-type";
  static final String TRACEPARENT = "traceparent";
  static final String CE_PREFIX = "ce_";

  private static final Pattern W3C_TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

  private final Map<String, String> known = new HashMap<>();

  private RecordHeaders() {}

  static RecordHeaders read(Headers headers) {
    RecordHeaders read = new RecordHeaders();
    int count = 0;
    long bytes = 0;
    for (Header header : headers) {
      byte[] value = header.value();
      count++;
      bytes += header.key().length() + (value == null ? 0 : value.length);
      if (count > EventLimits.HEADERS_MAX) {
        throw RefusedException.invalid(
            "the record has more than " + EventLimits.HEADERS_MAX + " headers");
      }
      if (bytes > EventLimits.HEADER_BYTES_MAX) {
        throw RefusedException.invalid(
            "the record's headers exceed " + EventLimits.HEADER_BYTES_MAX + " bytes");
      }
      read.add(header.key(), value);
    }
    return read;
  }

  private void add(String name, byte @Nullable [] value) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals(TRACEPARENT)) {
      // tracing never decides about a record: the first well-formed one counts
      if (value != null) {
        known.putIfAbsent(lower, new String(value, StandardCharsets.ISO_8859_1));
      }
      return;
    }
    if (!lower.equals(CONTENT_TYPE) && !lower.startsWith(CE_PREFIX)) {
      return;
    }
    String header = "header " + Excerpt.bare(name);
    if (!lower.equals(name)) {
      throw RefusedException.invalid(header + " must be written in lower case");
    }
    if (value == null) {
      throw RefusedException.invalid(header + " has no value");
    }
    if (known.put(name, UnicodeText.utf8(value, header)) != null) {
      throw RefusedException.invalid(header + " occurs twice");
    }
  }

  @Nullable String get(String name) {
    return known.get(name);
  }

  boolean anyCloudEvent() {
    return known.keySet().stream().anyMatch(name -> name.startsWith(CE_PREFIX));
  }

  /** The trace context of the last hop, else that of the event, else null. */
  @Nullable String traceparent() {
    String hop = wellFormed(known.get(TRACEPARENT));
    return hop == null ? wellFormed(known.get(CE_PREFIX + TRACEPARENT)) : hop;
  }

  private static @Nullable String wellFormed(@Nullable String traceparent) {
    return traceparent != null && W3C_TRACEPARENT.matcher(traceparent).matches()
        ? traceparent
        : null;
  }
}
