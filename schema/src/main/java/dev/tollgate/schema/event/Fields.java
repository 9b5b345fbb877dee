package dev.tollgate.schema.event;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import dev.tollgate.schema.json.Json;
import dev.tollgate.schema.json.StrictJson;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of an event's body, read with messages that name the member. A member that is null
 * counts as absent.
 */
record Fields(Json.Obj body) {

  static Fields read(StrictJson reader, byte[] value) {
    return of(reader.read(value));
  }

  static Fields of(Json value) {
    if (value instanceof Json.Obj body) {
      return new Fields(body);
    }
    throw RefusedException.invalid("the value is " + value.typeName() + ", not an object");
  }

  void onlyKnown(Set<String> known) {
    for (String name : body.members().keySet()) {
      if (known.contains(name)) {
        continue;
      }
      String lower = name.toLowerCase(Locale.ROOT);
      throw RefusedException.invalid(
          "field "
              + Excerpt.bare(name)
              + " is unknown"
              + (known.contains(lower) ? " (it is written " + lower + ")" : ""));
    }
  }

  /** Version 1, which is also meant where none is given. */
  void versionOne() {
    Json version = body.get("version");
    if (version == null) {
      return;
    }
    if (!(version instanceof Json.Num number)) {
      throw wrongType("version", version, "a number");
    }
    if (!number.text().equals("1")) {
      throw new RefusedException(
          Code.UNSUPPORTED_VERSION, "version " + number.text() + " is not known, only 1 is");
    }
  }

  @Nullable String text(String name) {
    return switch (body.get(name)) {
      case null -> null;
      case Json.Text text -> text.value();
      case Json other -> throw wrongType(name, other, "a string");
    };
  }

  String requiredText(String name) {
    String text = text(name);
    if (text == null) {
      throw missing(name);
    }
    return text;
  }

  /** A name or id: not empty, bounded, without control characters. */
  @Nullable String id(String name) {
    String text = text(name);
    return text == null ? null : checkId(name, text);
  }

  /** Text for people, on one line: bounded as an id is, by another number. */
  @Nullable String text(String name, int charsMax) {
    String text = text(name);
    return text == null ? null : check(name, text, charsMax);
  }

  static String checkId(String name, String text) {
    return check(name, text, EventLimits.ID_CHARS_MAX);
  }

  private static String check(String name, String text, int charsMax) {
    int length = text.codePointCount(0, text.length());
    if (length == 0 || length > charsMax) {
      throw RefusedException.invalid(name + " has " + length + " characters, not 1 to " + charsMax);
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw RefusedException.invalid(name + " holds a control character: " + Excerpt.of(text));
    }
    return text;
  }

  @Nullable Instant time(String name) {
    String text = text(name);
    return text == null ? null : Timestamps.parse(name, text);
  }

  long requiredCount(String name) {
    Json value = body.get(name);
    if (value == null) {
      throw missing(name);
    }
    Long whole = value instanceof Json.Num number ? number.whole() : null;
    if (whole == null || whole < 0) {
      throw RefusedException.invalid("field " + name + " is not a whole number from 0");
    }
    return whole;
  }

  @Nullable Fields object(String name) {
    return switch (body.get(name)) {
      case null -> null;
      case Json.Obj object -> new Fields(object);
      case Json other -> throw wrongType(name, other, "an object");
    };
  }

  Json.Obj requiredObject(String name) {
    Fields object = object(name);
    if (object == null) {
      throw missing(name);
    }
    return object.body();
  }

  static RefusedException missing(String name) {
    return RefusedException.invalid("field " + name + " is missing");
  }

  private static RefusedException wrongType(String name, Json value, String expected) {
    return RefusedException.invalid(
        "field " + name + " is " + value.typeName() + ", not " + expected);
  }
}
