package dev.tollgate.worker.provider.http;

import java.util.Map;
import java.util.Set;

/** What both engines keep of an answer, and how they word what went wrong. */
final class Evidence {
  static final String DEADLINE = "the answer deadline passed";
  private static final int ERROR_TEXT_MAX = 200;

  private static final Set<String> KEPT_HEADERS =
      Set.of(
          "content-type",
          "content-length",
          "content-encoding",
          "retry-after",
          "x-request-id",
          "request-id");

  private Evidence() {}

  /** Adds a header to {@code kept} if it is one that is kept; {@code name} is in lower case. */
  static void keep(Map<String, String> kept, String name, String value) {
    if (KEPT_HEADERS.contains(name)) {
      kept.merge(name, value, (a, b) -> a + ", " + b);
    }
  }

  /** The kind of failure and its text on one line; the text may quote the peer. */
  static String describe(Exception e) {
    return line(e.getClass().getSimpleName() + ": " + e.getMessage());
  }

  private static String line(String text) {
    String line = text.replaceAll("[^\\x20-\\x7e]", "?");
    return line.length() <= ERROR_TEXT_MAX ? line : line.substring(0, ERROR_TEXT_MAX);
  }
}
