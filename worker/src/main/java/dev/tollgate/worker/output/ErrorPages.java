package dev.tollgate.worker.output;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Knows what servers say instead of what was asked for. Stateless. */
final class ErrorPages {
  private static final List<String> HTML =
      List.of("<!doctype html", "<html", "<head", "<body", "<title");

  private ErrorPages() {}

  /** What kind of page a file is by its head, in words; empty if it does not look like one. */
  static Optional<String> page(byte[] head) {
    for (byte b : head) {
      if (b == 0) {
        return Optional.empty(); // no text has it
      }
    }
    String text = new String(head, StandardCharsets.UTF_8);
    String start = (text.startsWith("\uFEFF") ? text.substring(1) : text).stripLeading();
    String low = start.substring(0, Math.min(start.length(), 64)).toLowerCase(Locale.ROOT);
    if (HTML.stream().anyMatch(low::startsWith)) {
      return Optional.of("an HTML page");
    }
    if ((low.startsWith("<?xml") && !start.contains("<svg")) || low.startsWith("<error")) {
      return Optional.of("an XML document");
    }
    return low.matches("(?s)(?:\\{\\s*[\"}]|\\[\\s*[\\[{\"\\]]).*")
        ? Optional.of("a JSON document")
        : Optional.empty();
  }
}
