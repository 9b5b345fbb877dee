package dev.tollgate.schema.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * The members of a JSON object, each value as the bytes that stand there: parsing and writing them
 * again would alter numbers, and half a surrogate pair is no text in any encoding. It finds where a
 * value ends and does not judge what is in it. Immutable.
 */
final class StreamMembers {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private final byte[] json;
  private final Map<String, byte[]> values = new HashMap<>();
  private int at;

  private StreamMembers(byte[] json) {
    this.json = json;
  }

  /**
   * The members of this object.
   *
   * @param json in UTF-8
   * @throws ClientException.NoStream if it is none
   */
  static StreamMembers of(byte[] json) {
    StreamMembers members = new StreamMembers(json);
    try {
      members.read();
    } catch (ArrayIndexOutOfBoundsException _) {
      throw new ClientException.NoStream("an event's JSON is cut");
    }
    return members;
  }

  /** The bytes of a member's value; null where there is none. */
  byte @Nullable [] raw(String name) {
    return values.get(name);
  }

  /** The characters of a member that is a string; null where there is none, or it is null. */
  @Nullable String text(String name) {
    byte[] raw = values.get(name);
    if (raw == null || raw[0] != '"') {
      return null;
    }
    // from text: a parser of bytes would guess at their encoding
    String document = new String(raw, StandardCharsets.UTF_8);
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), document)) {
      parser.nextToken();
      return parser.getString();
    } catch (JacksonException _) {
      throw new ClientException.NoStream("an event's %s is no string".formatted(name));
    }
  }

  private void read() {
    blanks();
    expect('{');
    blanks();
    if (json[at] == '}') {
      return;
    }
    while (true) {
      blanks();
      String name = name();
      blanks();
      expect(':');
      blanks();
      int from = at;
      value();
      values.put(name, Arrays.copyOfRange(json, from, at));
      blanks();
      if (json[at] == '}') {
        return;
      }
      expect(',');
    }
  }

  private void expect(char wanted) {
    if (json[at] != wanted) {
      throw new ClientException.NoStream(
          "an event's JSON has no %s at byte %d".formatted(wanted, at));
    }
    at++;
  }

  private void blanks() {
    while (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t') {
      at++;
    }
  }

  /** Names that we look for need no escapes. */
  private String name() {
    int from = at + 1;
    string();
    return new String(json, from, at - 1 - from, StandardCharsets.UTF_8);
  }

  private void string() {
    expect('"');
    while (json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    at++;
  }

  private void value() {
    int depth = 0;
    do {
      switch (json[at]) {
        case '"' -> string();
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
        }
        case ',', ':', ' ', '\n', '\r', '\t' -> {
          if (depth == 0) {
            throw new ClientException.NoStream("an event's JSON has no value at byte " + at);
          }
          at++;
        }
        default -> literal();
      }
    } while (depth > 0);
  }

  private void literal() {
    while (",:]}\" \n\r\t".indexOf(json[at]) < 0) {
      at++;
    }
  }
}
