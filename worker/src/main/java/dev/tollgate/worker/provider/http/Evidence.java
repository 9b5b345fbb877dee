package dev.tollgate.worker.provider.http;

import java.util.Map;

/** What both engines keep of an answer, and how they word what went wrong. */
final class Evidence {
  static final String DEADLINE = "the answer deadline passed";
  private static final int ERROR_TEXT_MAX = 200;

  private Evidence() {}

  /** Adds a header, whose name is in lower case, to those that came. */
  static void keep(Map<String, String> kept, String name, String value) {
    kept.merge(name, value, (a, b) -> a + ", " + b);
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
