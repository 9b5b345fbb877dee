package dev.tollgate.loadtest.sandbox;

import org.jspecify.annotations.Nullable;

/** One complete request, with the few headers that matter here. Confined to its connection. */
final class HttpRequest {
  final String method;
  final String path;
  final String query;
  final Headers headers;
  byte[] body = {};

  HttpRequest(String method, String target, Headers headers) {
    int question = target.indexOf('?');
    this.method = method;
    this.path = question < 0 ? target : target.substring(0, question);
    this.query = question < 0 ? "" : target.substring(question + 1);
    this.headers = headers;
  }

  /** Mutable while a head is read; names are matched without regard to case. */
  static final class Headers {
    @Nullable String authorization;
    @Nullable String idempotencyKey;
    boolean close;
    boolean expectContinue;
    boolean chunked;
    long contentLength = -1;
  }

  /** A request that breaks HTTP or a limit: answered, then the connection is closed. */
  static final class Malformed extends Exception {
    final int status;
    final String code;

    Malformed(int status, String code, String message) {
      super(message);
      this.status = status;
      this.code = code;
    }
  }
}
