package dev.tollgate.schema.json;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A JSON value that passed {@link StrictJson}. Immutable. */
public sealed interface Json {

  /** The RFC 8785 form of this value. */
  default String canonical() {
    return CanonicalJson.write(this);
  }

  /** The RFC 8785 form of this value, in UTF-8. */
  default byte[] canonicalBytes() {
    return canonical().getBytes(StandardCharsets.UTF_8);
  }

  /** What a message calls this type of value. */
  default String typeName() {
    return switch (this) {
      case Text _ -> "a string";
      case Num _ -> "a number";
      case Bool _ -> "a boolean";
      case Null _ -> "null";
      case Arr _ -> "an array";
      case Obj _ -> "an object";
    };
  }

  /** A string. */
  record Text(String value) implements Json {}

  /**
   * A number.
   *
   * @param text its RFC 8785 form
   */
  record Num(String text) implements Json {
    /** The largest whole number up to which every one is a distinct double: 2^53 - 1. */
    public static final long SAFE_MAX = (1L << 53) - 1;

    /** Longest decimal text of a number within {@link #SAFE_MAX}, with its sign. */
    private static final int SAFE_LENGTH_MAX = 17;

    /** The number of a whole value within plus or minus {@link #SAFE_MAX}. */
    public static Num of(long value) {
      if (value > SAFE_MAX || value < -SAFE_MAX) {
        throw new IllegalArgumentException("not exact in a double: " + value);
      }
      return new Num(Long.toString(value));
    }

    /** The value if it is whole and within plus or minus {@link #SAFE_MAX}, else null. */
    public @Nullable Long whole() {
      if (text.length() > SAFE_LENGTH_MAX) {
        return null;
      }
      for (int i = text.charAt(0) == '-' ? 1 : 0; i < text.length(); i++) {
        if (text.charAt(i) < '0' || text.charAt(i) > '9') {
          return null;
        }
      }
      long value = Long.parseLong(text);
      return value > SAFE_MAX || value < -SAFE_MAX ? null : value;
    }
  }

  /** {@code true} or {@code false}. */
  record Bool(boolean value) implements Json {}

  /** {@code null}. */
  record Null() implements Json {
    static final Null INSTANCE = new Null();
  }

  /** An array; order counts. */
  record Arr(List<Json> items) implements Json {
    public Arr {
      items = List.copyOf(items);
    }
  }

  /** An object; its members are sorted by the UTF-16 code units of their names. */
  record Obj(SortedMap<String, Json> members) implements Json {
    public Obj {
      members = Collections.unmodifiableSortedMap(members);
    }

    /** An object of strings, in canonical order. */
    public static Obj ofTexts(SortedMap<String, String> texts) {
      SortedMap<String, Json> members = new TreeMap<>();
      texts.forEach((name, value) -> members.put(name, new Text(value)));
      return new Obj(members);
    }

    /** The member, or null where it is absent or JSON {@code null}: both mean "not given". */
    public @Nullable Json get(String name) {
      Json value = members.get(name);
      return value instanceof Null ? null : value;
    }
  }
}
