package dev.tollgate.schema.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tollgate.schema.key.OperationKey;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** The base request of the field cases, and small changes of it. */
final class Samples {
  static final String B0 =
      """
      {"kind":"video","product":"p-100","template_version":"3","source_fingerprint":"sha256:aa00",\
      "prompt_version":"7","locale":"en-US","aspect_ratio":"16:9","variant":"a","generation":1,\
      "provider":"keyed","params":{"prompt":"a red kite","seed":7,"duration_s":5}}""";

  /** First of the vectors in {@code keys.json}. */
  static final String K0 = "video:98ae4a6959b6a9d6030e4ac666518024063f36fc4df7ae45171bbceb46f2512a";

  static final OperationKey KEY = OperationKey.parse(K0);

  private Samples() {}

  /** The base request with one more member at its end. */
  static String with(String member) {
    return B0.substring(0, B0.length() - 1) + "," + member + "}";
  }

  /** The base request's second generation, with one more member. */
  static String second(String member) {
    return replacing("\"generation\":1", "\"generation\":2," + member);
  }

  /** The base request without a member, or with another in its place. */
  static String replacing(String member, String other) {
    if (!B0.contains(member)) {
      throw new IllegalArgumentException(member);
    }
    return B0.replace(member, other);
  }

  static Headers noHeaders() {
    return new RecordHeaders();
  }

  static Headers headers(String... namesAndValues) {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8));
    }
    return headers;
  }

  /** Complete headers of a request as a CloudEvent. */
  static Headers cloudEvent() {
    return headers(
        "ce_specversion", "1.0",
        "ce_type", "dev.tollgate.generation.request.v1",
        "ce_source", "/shop",
        "ce_id", "e-1",
        "ce_time", "2030-01-31T12:00:00+01:00",
        "content-type", "application/json; charset=utf-8");
  }

  static Headers cloudEventWith(String name, String value) {
    Headers headers = cloudEvent();
    headers.remove(name);
    return headers.add(name, value.getBytes(UTF_8));
  }

  static Headers cloudEventWithout(String name) {
    Headers headers = cloudEvent();
    headers.remove(name);
    return headers;
  }

  static Decoded decode(String body) {
    return RequestDecoder.decode(K0.getBytes(UTF_8), body.getBytes(UTF_8), noHeaders());
  }

  static Decoded decode(Headers headers) {
    return RequestDecoder.decode(K0.getBytes(UTF_8), B0.getBytes(UTF_8), headers);
  }
}
