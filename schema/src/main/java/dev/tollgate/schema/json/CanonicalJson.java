package dev.tollgate.schema.json;

import java.util.HexFormat;
import java.util.Map;

/** Writes the RFC 8785 form. Stateless. */
final class CanonicalJson {
  /** Room for a typical event, so that the buffer seldom grows. */
  private static final int CAPACITY = 512;

  private CanonicalJson() {}

  static String write(Json value) {
    StringBuilder out = new StringBuilder(CAPACITY);
    append(out, value);
    return out.toString();
  }

  /** Recursion is bounded: a value comes from {@link StrictJson} or from our own few levels. */
  private static void append(StringBuilder out, Json value) {
    switch (value) {
      case Json.Text text -> appendString(out, text.value());
      case Json.Num number -> out.append(number.text());
      case Json.Bool bool -> out.append(bool.value());
      case Json.Null _ -> out.append("null");
      case Json.Arr array -> appendArray(out, array);
      case Json.Obj object -> appendObject(out, object);
    }
  }

  private static void appendArray(StringBuilder out, Json.Arr array) {
    out.append('[');
    boolean first = true;
    for (Json item : array.items()) {
      if (!first) {
        out.append(',');
      }
      first = false;
      append(out, item);
    }
    out.append(']');
  }

  private static void appendObject(StringBuilder out, Json.Obj object) {
    out.append('{');
    boolean first = true;
    for (Map.Entry<String, Json> member : object.members().entrySet()) {
      if (!first) {
        out.append(',');
      }
      first = false;
      appendString(out, member.getKey());
      out.append(':');
      append(out, member.getValue());
    }
    out.append('}');
  }

  private static void appendString(StringBuilder out, String text) {
    out.append('"');
    int plainFrom = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\') {
        continue;
      }
      out.append(text, plainFrom, i);
      appendEscaped(out, c);
      plainFrom = i + 1;
    }
    out.append(text, plainFrom, text.length()).append('"');
  }

  private static void appendEscaped(StringBuilder out, char c) {
    switch (c) {
      case '"', '\\' -> out.append('\\').append(c);
      case '\b' -> out.append("\\b");
      case '\t' -> out.append("\\t");
      case '\n' -> out.append("\\n");
      case '\f' -> out.append("\\f");
      case '\r' -> out.append("\\r");
      default -> out.append("\\u").append(HexFormat.of().toHexDigits(c));
    }
  }
}
