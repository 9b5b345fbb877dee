package dev.tollgate.loadtest.sandbox;

import dev.tollgate.loadtest.sandbox.TaskBook.Position;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Answers the read side of the task API from the book. Thread-safe. */
final class Reads {
  private static final int LIMIT_DEFAULT = 100;
  private static final int LIMIT_MAX = 1000;

  private final SandboxOptions options;
  private final TaskBook book;
  private final long renderMs;
  private final String baseUrl;

  Reads(SandboxOptions options, TaskBook book, int port) {
    this.options = options;
    this.book = book;
    this.renderMs = options.renderTime().toMillis();
    this.baseUrl = "http://127.0.0.1:" + port;
  }

  HttpAnswer status(Kind kind, String id) {
    SandboxTask task = book.byId(id);
    long nowMs = options.clock().millis();
    if (task == null || task.kind != kind || !task.visible(nowMs)) {
      return HttpAnswer.error(404, "task_not_found", "there is no such task");
    }
    return HttpAnswer.json(200, json(task, nowMs));
  }

  /** Several tasks at once; what is not there is left out. */
  private HttpAnswer named(Kind kind, String ids) {
    long nowMs = options.clock().millis();
    StringJoiner tasks = new StringJoiner(",", "{\"tasks\":[", "]}");
    String[] list = ids.split(",", LIMIT_MAX + 1);
    if (list.length > LIMIT_MAX) {
      throw new IllegalArgumentException("more than " + LIMIT_MAX + " ids");
    }
    for (String id : list) {
      SandboxTask task = book.byId(id);
      if (task != null && task.kind == kind && task.visible(nowMs)) {
        tasks.add(json(task, nowMs));
      }
    }
    return HttpAnswer.json(200, tasks.toString());
  }

  private String json(SandboxTask task, long nowMs) {
    StringBuilder json = new StringBuilder(400);
    common(json, task, nowMs);
    switch (task.status(nowMs, renderMs)) {
      case "succeeded" -> output(json, task);
      case "failed" ->
          json.append(
              ",\"error\":{\"code\":\"render_failed\",\"message\":\"the render did not succeed\"}");
      default -> {
        // still under way
      }
    }
    return json.append('}').toString();
  }

  private void common(StringBuilder json, SandboxTask task, long nowMs) {
    json.append("{\"id\":\"").append(task.id);
    json.append("\",\"status\":\"").append(task.status(nowMs, renderMs));
    json.append("\",\"created_at\":\"").append(Json.time(task.createdAtMs)).append('"');
  }

  private void output(StringBuilder json, SandboxTask task) {
    json.append(",\"output\":{\"url\":\"").append(baseUrl).append("/outputs/").append(task.id);
    json.append("\",\"sha256\":\"").append(task.outputSha256(options.outputBytes()));
    json.append("\",\"length\":").append(Picture.length(options.outputBytes()));
    json.append(",\"content_type\":\"image/png\"}");
  }

  HttpAnswer outputBytes(String id) {
    SandboxTask task = book.byId(id);
    long nowMs = options.clock().millis();
    if (task == null || !task.status(nowMs, renderMs).equals("succeeded")) {
      return HttpAnswer.error(404, "output_not_found", "there is no such output");
    }
    return HttpAnswer.bytes("image/png", Picture.of(id, options.outputBytes()));
  }

  /** Whether the statuses of known tasks are asked for, and none is searched for. */
  static boolean namesTasks(String query) {
    return query.startsWith("ids=") || query.contains("&ids=");
  }

  HttpAnswer search(Kind kind, String query) {
    try {
      Map<String, String> parameters = parameters(query);
      if (parameters.containsKey("ids")) {
        return named(kind, parameters.get("ids"));
      }
      return switch (kind) {
        case LOOKUP -> lookup(parameters);
        case LISTED -> list(parameters);
        case KEYED, BLIND, TEXT ->
            HttpAnswer.error(404, "not_found", "this provider has no search");
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      return HttpAnswer.error(400, "invalid_query", String.valueOf(e.getMessage()));
    }
  }

  private HttpAnswer lookup(Map<String, String> parameters) {
    String reference = parameters.get("client_reference");
    if (reference == null || reference.isEmpty()) {
      throw new IllegalArgumentException("client_reference is missing");
    }
    long nowMs = options.clock().millis();
    StringBuilder json = new StringBuilder("{\"tasks\":[");
    String separator = "";
    for (SandboxTask task : book.byReference(reference)) {
      if (task.visible(nowMs)) {
        json.append(separator);
        common(json, task, nowMs);
        json.append(",\"client_reference\":");
        Json.quoteOrNull(json, task.reference);
        json.append('}');
        separator = ",";
      }
    }
    return HttpAnswer.json(200, json.append("]}").toString());
  }

  private HttpAnswer list(Map<String, String> parameters) {
    long nowMs = options.clock().millis();
    int limit = limit(parameters.get("limit"));
    StringBuilder json = new StringBuilder("{\"tasks\":[");
    SandboxTask last = null;
    boolean more = false;
    int shown = 0;
    for (SandboxTask task :
        book.window(
            time(parameters.get("created_after"), 0),
            time(parameters.get("created_before"), Long.MAX_VALUE),
            position(parameters.get("cursor")))) {
      if (!task.visible(nowMs)) {
        continue;
      }
      if (shown == limit) {
        more = true;
        break;
      }
      json.append(shown == 0 ? "" : ",");
      common(json, task, nowMs);
      json.append(",\"input\":").append(task.inputJson).append('}');
      last = task;
      shown++;
    }
    json.append("],\"next_cursor\":");
    Json.quoteOrNull(json, more && last != null ? cursor(last) : null);
    return HttpAnswer.json(200, json.append('}').toString());
  }

  private static int limit(@Nullable String text) {
    int limit = text == null ? LIMIT_DEFAULT : Integer.parseInt(text);
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit must be 1.." + LIMIT_MAX);
    }
    return limit;
  }

  /** Both ends of the window belong to it; times finer than a millisecond are rounded down. */
  private static long time(@Nullable String text, long missing) {
    return text == null ? missing : Instant.parse(text).toEpochMilli();
  }

  private static String cursor(SandboxTask task) {
    String position = task.createdAtMs + ":" + task.id;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(position.getBytes(StandardCharsets.US_ASCII));
  }

  private static @Nullable Position position(@Nullable String cursor) {
    if (cursor == null || cursor.isEmpty()) {
      return null;
    }
    String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("not a cursor of this list");
    }
    return new Position(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
  }

  static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    int start = 0;
    while (start < query.length()) {
      int ampersand = query.indexOf('&', start);
      int stop = ampersand < 0 ? query.length() : ampersand;
      int equals = query.indexOf('=', start);
      if (equals > start && equals < stop) {
        parameters.put(decoded(query, start, equals), decoded(query, equals + 1, stop));
      }
      start = stop + 1;
    }
    return parameters;
  }

  private static String decoded(String query, int from, int to) {
    return URLDecoder.decode(query.substring(from, to), StandardCharsets.UTF_8);
  }
}
