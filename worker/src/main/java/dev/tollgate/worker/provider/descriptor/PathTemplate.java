package dev.tollgate.worker.provider.descriptor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.worker.provider.jq.Jq;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A text with jq expressions in braces: {@code /tasks/{$id}}. A value is percent-encoded as one
 * segment; {@code {+$id}} keeps the slashes and colons in it. Immutable.
 */
public final class PathTemplate {
  private final List<Part> parts;

  PathTemplate(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /** A piece of the text. */
  sealed interface Part {
    /** As it stands. */
    record Literal(String text) implements Part {}

    /** A value. */
    record Value(Jq jq, boolean keepsSlashes) implements Part {}
  }

  /**
   * The path for an input; none if a value is missing, empty, or could lead out of its place.
   *
   * @param variables by name, without {@code $}
   */
  public Optional<String> fill(JsonNode input, Map<String, JsonNode> variables) {
    StringBuilder path = new StringBuilder();
    for (Part part : parts) {
      switch (part) {
        case Part.Literal(String text) -> path.append(text);
        case Part.Value(Jq jq, boolean keepsSlashes) -> {
          Optional<String> value =
              jq.text(input, variables)
                  .filter(text -> keepsSlashes ? safePath(text) : safeSegment(text));
          if (value.isEmpty()) {
            return Optional.empty();
          }
          String encoded = encoded(value.get());
          path.append(keepsSlashes ? encoded.replace("%2F", "/").replace("%3A", ":") : encoded);
        }
      }
    }
    return Optional.of(path.toString());
  }

  /** Whoever decodes a slash before looking at the path takes what is between them for segments. */
  private static boolean safeSegment(String text) {
    for (String part : text.split("[/\\\\]", -1)) {
      if (part.equals(".") || part.equals("..")) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static boolean safePath(String text) {
    for (String segment : text.split("/", -1)) {
      if (!safeSegment(segment)) {
        return false;
      }
    }
    return true;
  }

  /** One query parameter or path segment, percent-encoded. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("%7E", "~");
  }
}
