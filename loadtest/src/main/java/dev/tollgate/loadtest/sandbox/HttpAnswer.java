package dev.tollgate.loadtest.sandbox;

import java.nio.charset.StandardCharsets;

/** One answer, ready to be written in one piece. Immutable; the body array is never changed. */
final class HttpAnswer {
  private static final String JSON = "application/json";

  final int status;
  private final String contentType;
  private final String extraHeader;
  private final byte[] body;

  private HttpAnswer(int status, String contentType, String extraHeader, byte[] body) {
    this.status = status;
    this.contentType = contentType;
    this.extraHeader = extraHeader;
    this.body = body;
  }

  static HttpAnswer json(int status, String body) {
    return new HttpAnswer(status, JSON, "", body.getBytes(StandardCharsets.UTF_8));
  }

  static HttpAnswer bytes(String contentType, byte[] body) {
    return new HttpAnswer(200, contentType, "", body);
  }

  /** The provider's own error shape. */
  static HttpAnswer error(int status, String code, String message) {
    return json(status, errorBody(code, message));
  }

  /** Throttled: documented to precede creation, with the pause to take. */
  static HttpAnswer throttled() {
    return new HttpAnswer(
        429,
        JSON,
        "Retry-After: 1\r\n",
        errorBody("rate_limited", "too many requests").getBytes(StandardCharsets.UTF_8));
  }

  /** What stands in front of a provider says when the provider does not. */
  static HttpAnswer gateway(int status) {
    String page =
        "<html><head><title>%1$d %2$s</title></head><body><h1>%1$d %2$s</h1></body></html>\n"
            .formatted(status, reason(status));
    return new HttpAnswer(status, "text/html", "", page.getBytes(StandardCharsets.UTF_8));
  }

  /** A server error that speaks JSON, but neither the provider's shape nor of any task. */
  static HttpAnswer broken() {
    return json(500, "{\"message\":\"Internal server error\"}");
  }

  private static String errorBody(String code, String message) {
    return "{\"error\":{\"code\":\"" + code + "\",\"message\":" + Json.quoted(message) + "}}";
  }

  /** The whole answer as it goes over the wire. */
  byte[] onTheWire(boolean close) {
    String head =
        "HTTP/1.1 "
            + status
            + ' '
            + reason(status)
            + "\r\nContent-Type: "
            + contentType
            + "\r\nContent-Length: "
            + body.length
            + "\r\n"
            + extraHeader
            + (close ? "Connection: close\r\n\r\n" : "\r\n");
    byte[] headBytes = head.getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = new byte[headBytes.length + body.length];
    System.arraycopy(headBytes, 0, all, 0, headBytes.length);
    System.arraycopy(body, 0, all, headBytes.length, body.length);
    return all;
  }

  private static String reason(int status) {
    return switch (status) {
      case 200 -> "OK";
      case 202 -> "Accepted";
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 409 -> "Conflict";
      case 411 -> "Length Required";
      case 413 -> "Content Too Large";
      case 422 -> "Unprocessable Content";
      case 429 -> "Too Many Requests";
      case 431 -> "Request Header Fields Too Large";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      case 504 -> "Gateway Timeout";
      default -> "Status";
    };
  }
}
