package dev.tollgate.loadtest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * A request as a stub sees it.
 *
 * @param path as it was sent, percent signs included
 * @param query decoded, each name once
 * @param headers by lower-case name
 * @param body missing if there is none, or none that is JSON
 */
record Asked(
    String method, String path, ObjectNode query, ObjectNode headers, String text, JsonNode body) {

  static Asked read(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    ObjectNode headers = Json.NODES.objectNode();
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) ->
                headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
    return new Asked(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getRawPath(),
        query(exchange.getRequestURI().getRawQuery()),
        headers,
        new String(body, StandardCharsets.UTF_8),
        Json.read(body));
  }

  private static ObjectNode query(String raw) {
    ObjectNode query = Json.NODES.objectNode();
    for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&")) {
      List<String> parts = List.of(pair.split("=", 2));
      String name = decoded(parts.getFirst());
      String value = parts.size() == 1 ? "" : decoded(parts.getLast());
      String before = query.path(name).asText("");
      query.put(name, before.isEmpty() ? value : before + "," + value);
    }
    return query;
  }

  static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Something of it: {@code query:NAME} or {@code body:/POINTER}; empty if it is not there. */
  String part(String where) {
    return where.startsWith("query:")
        ? query.path(where.substring("query:".length())).asText("")
        : body.at(where.substring("body:".length())).asText("");
  }

  @Override
  public String toString() {
    return method + " " + path + " " + query + " " + text;
  }
}
