package dev.tollgate.schema.json;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** Random JSON documents with awkward names, strings and numbers. */
final class RandomJson {
  private static final int DEPTH_MAX = 5;
  private static final String[] PIECES = {
    "a",
    "B",
    "\u00e9",
    "e\u0301",
    "\u20ac",
    "\uD83D\uDE00",
    "\uFB33",
    "\\n",
    "\\u0007",
    "\\\"",
    "\\\\",
    "\\/",
    " ",
    "\\ud83d\\ude00",
    "\\u2028",
    "7",
    "\u007f"
  };

  private final Random random;

  RandomJson(Random random) {
    this.random = random;
  }

  String object() {
    return object(0);
  }

  private String object(int depth) {
    StringBuilder out = new StringBuilder("{");
    Set<Json> names = new HashSet<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      String name = string();
      if (!names.add(StrictJson.verbatim().read(name))) {
        continue;
      }
      out.append(names.size() > 1 ? " , " : "").append(name).append(" : ").append(value(depth + 1));
    }
    return out.append("}").toString();
  }

  private String array(int depth) {
    StringBuilder out = new StringBuilder("[");
    int length = random.nextInt(4);
    for (int i = 0; i < length; i++) {
      out.append(i > 0 ? "," : "").append(value(depth + 1));
    }
    return out.append("]").toString();
  }

  private String value(int depth) {
    return switch (random.nextInt(depth < DEPTH_MAX ? 8 : 6)) {
      case 0 -> "true";
      case 1 -> "null";
      case 2 -> string();
      case 3 -> Integer.toString(random.nextInt());
      case 4 -> Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(50) - 25));
      case 5 -> "false";
      case 6 -> object(depth);
      default -> array(depth);
    };
  }

  private String string() {
    StringBuilder out = new StringBuilder("\"");
    for (int i = random.nextInt(5); i > 0; i--) {
      out.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return out.append("\"").toString();
  }
}
