package dev.tollgate.cli;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** How values are written for people and for scripts. Stateless. */
public final class Shown {
  private static final JsonMapper JSON = JsonMapper.shared();

  private Shown() {}

  /** A text from outside on one line of a terminal: what could steer it becomes a question mark. */
  public static String line(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return "-";
    }
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              int type = Character.getType(point);
              boolean steers =
                  type == Character.CONTROL
                      || type == Character.FORMAT
                      || type == Character.SURROGATE
                      || type == Character.LINE_SEPARATOR
                      || type == Character.PARAGRAPH_SEPARATOR;
              out.appendCodePoint(steers ? '?' : point);
            });
    return out.toString();
  }

  /** A time to the millisecond, in UTC. */
  public static String time(@Nullable Instant at) {
    return at == null ? "-" : at.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  /** One JSON object on one line, members in the map's order. */
  public static String json(Map<String, ?> members) {
    return JSON.writeValueAsString(members);
  }

  /** Bytes as text if they are text on one line, else in hexadecimal. */
  public static String bytes(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "(none)";
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    boolean plain =
        text.indexOf('\uFFFD') < 0 && text.codePoints().noneMatch(Shown::neitherTextNorSpace);
    return plain ? text : "0x" + HexFormat.of().formatHex(bytes);
  }

  private static boolean neitherTextNorSpace(int point) {
    return Character.isISOControl(point) && point != '\t' && point != '\n' && point != '\r';
  }
}
