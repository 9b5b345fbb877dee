package dev.tollgate.schema.json;

import dev.tollgate.schema.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON text strictly, within {@link JsonLimits}. Thread-safe. Everything it refuses, it
 * refuses with a {@link RefusedException}.
 */
public final class StrictJson {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          // names come from outside: no symbol table that a hostile producer could fill
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(JsonLimits.NESTING_MAX)
                  .maxStringLength(JsonLimits.STRING_CHARS_MAX)
                  .maxNameLength(JsonLimits.NAME_CHARS_MAX)
                  .maxNumberLength(JsonLimits.NUMBER_CHARS_MAX)
                  .build())
          .build();

  /** Strings and names become NFC, and names that fall together are refused. */
  private static final StrictJson NORMALISING = new StrictJson(true);

  /** Strings and names stay as they are. */
  private static final StrictJson VERBATIM = new StrictJson(false);

  private final boolean normalises;

  private StrictJson(boolean normalises) {
    this.normalises = normalises;
  }

  /** A reader that brings strings and names to NFC, for what is compared and hashed. */
  public static StrictJson normalising() {
    return NORMALISING;
  }

  /** A reader that keeps strings as they are, for what others gave us and will ask for again. */
  public static StrictJson verbatim() {
    return VERBATIM;
  }

  /** The document that these UTF-8 bytes hold. */
  public Json read(byte[] utf8) {
    if (utf8.length > JsonLimits.DOCUMENT_BYTES_MAX) {
      throw tooLarge();
    }
    // from text, never from bytes: the parser would guess UTF-16 and UTF-32 from a few zero bytes
    return read(UnicodeText.utf8(utf8, "the value"));
  }

  /** The document that this text holds. */
  public Json read(String text) {
    if (text.length() > JsonLimits.DOCUMENT_BYTES_MAX) {
      throw tooLarge();
    }
    if (text.startsWith("\uFEFF")) {
      throw RefusedException.invalid("the value starts with a byte order mark");
    }
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw RefusedException.invalid("the value is empty");
      }
      Json value = value(parser, first, "the value");
      if (parser.nextToken() != null) {
        throw RefusedException.invalid("something follows the JSON document");
      }
      return value;
    } catch (JacksonException e) {
      throw refused(e);
    }
  }

  private Json value(JsonParser parser, JsonToken token, String what) {
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser, what);
      case VALUE_STRING -> new Json.Text(text(parser.getString(), what));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          new Json.Num(JsonNumber.canonical(parser.getString()));
      case VALUE_TRUE -> new Json.Bool(true);
      case VALUE_FALSE -> new Json.Bool(false);
      case VALUE_NULL -> Json.Null.INSTANCE;
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new IllegalStateException("no value starts with " + token);
    };
  }

  private Json.Obj object(JsonParser parser) {
    SortedMap<String, Json> members = new TreeMap<>();
    for (String raw = parser.nextName(); raw != null; raw = parser.nextName()) {
      String name = text(raw, "a field name");
      Json value = value(parser, parser.nextToken(), name);
      if (members.put(name, value) != null) {
        throw RefusedException.invalid("field " + Excerpt.of(name) + " occurs twice");
      }
    }
    return new Json.Obj(members);
  }

  private Json.Arr array(JsonParser parser, String what) {
    List<Json> items = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      items.add(value(parser, token, what));
    }
    return new Json.Arr(items);
  }

  private String text(String raw, String what) {
    if (raw.length() > JsonLimits.STRING_CHARS_MAX) {
      throw RefusedException.invalid(
          Excerpt.bare(what) + " is longer than " + JsonLimits.STRING_CHARS_MAX + " characters");
    }
    return normalises ? UnicodeText.nfc(raw, what) : UnicodeText.checked(raw, what);
  }

  private static RefusedException tooLarge() {
    return RefusedException.invalid(
        "the value is larger than " + JsonLimits.DOCUMENT_BYTES_MAX + " bytes");
  }

  /** The parser's own message may repeat a part of the document, so only the place is kept. */
  private static RefusedException refused(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    String place = at == null ? "" : " at line " + at.getLineNr() + " column " + at.getColumnNr();
    return e instanceof StreamConstraintsException
        ? RefusedException.invalid("the value exceeds a limit on nesting or length" + place)
        : RefusedException.invalid("the value is not JSON" + place);
  }
}
