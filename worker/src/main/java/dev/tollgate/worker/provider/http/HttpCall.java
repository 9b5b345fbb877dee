package dev.tollgate.worker.provider.http;

import java.util.Map;
import java.util.Optional;

/**
 * One request. Confined to the thread that sends it; the body is not copied.
 *
 * <p>The deadlines are readings of the engine's monotonic clock.
 */
public final class HttpCall {
  private final String method;
  private final String target;
  private final Map<String, String> headers;
  private final Optional<byte[]> body;
  private final long sendNotAfterNanos;
  private final long answerByNanos;

  private HttpCall(
      String method,
      String target,
      Map<String, String> headers,
      Optional<byte[]> body,
      long sendNotAfterNanos,
      long answerByNanos) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.body = body;
    this.sendNotAfterNanos = sendNotAfterNanos;
    this.answerByNanos = answerByNanos;
  }

  /** A POST of a JSON body. {@code target} is the raw path, with its query if it has one. */
  public static HttpCall post(
      String target,
      Map<String, String> headers,
      byte[] body,
      long sendNotAfterNanos,
      long answerByNanos) {
    return new HttpCall(
        "POST", target, headers, Optional.of(body), sendNotAfterNanos, answerByNanos);
  }

  /** Any request; a body is JSON. */
  public static HttpCall of(
      String method,
      String target,
      Map<String, String> headers,
      Optional<byte[]> body,
      long sendNotAfterNanos,
      long answerByNanos) {
    return new HttpCall(method, target, headers, body, sendNotAfterNanos, answerByNanos);
  }

  /** A GET, which may be sent for as long as its answer is awaited. */
  public static HttpCall get(String target, Map<String, String> headers, long answerByNanos) {
    return new HttpCall("GET", target, headers, Optional.empty(), answerByNanos, answerByNanos);
  }

  String method() {
    return method;
  }

  String target() {
    return target;
  }

  Map<String, String> headers() {
    return headers;
  }

  Optional<byte[]> body() {
    return body;
  }

  long sendNotAfterNanos() {
    return sendNotAfterNanos;
  }

  long answerByNanos() {
    return answerByNanos;
  }
}
