package dev.tollgate.loadtest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What a stub answers.
 *
 * @param status 0: it closes the connection without an answer
 */
record Reply(int status, Map<String, String> headers, String body) {
  static final Reply CUT = new Reply(0, Map.of(), "");

  static Reply gatewayPage(int status) {
    return new Reply(
        status, Map.of("Content-Type", "text/html"), "<html><h1>Bad gateway</h1></html>");
  }

  static Reply film(String text) {
    return new Reply(200, Map.of("Content-Type", "video/mp4"), Film.of(text));
  }

  /** An answer of a fixture: its status, headers and body, filled with values. */
  static Reply of(JsonNode answer, Map<String, JsonNode> values) {
    JsonNode filled = Json.fill(answer, values);
    Map<String, String> headers = new HashMap<>();
    headers.put("Content-Type", "application/json");
    filled
        .path("headers")
        .properties()
        .forEach(e -> headers.put(e.getKey(), e.getValue().asText()));
    String body = filled.has("body") ? filled.path("body").toString() : "";
    return new Reply(filled.path("status").asInt(200), headers, body);
  }

  void send(HttpExchange exchange) throws IOException {
    if (status == 0) {
      return; // closing the exchange closes the connection
    }
    headers.forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
  }
}
