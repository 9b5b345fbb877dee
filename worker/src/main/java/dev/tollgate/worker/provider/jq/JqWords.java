package dev.tollgate.worker.provider.jq;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which words an expression may hold. Reads it as a row of words, strings and signs, which is
 * enough to know every name it calls. Stateless.
 */
final class JqWords {
  static final int LENGTH_MAX = 4_000;

  private static final Set<String> CALLABLE =
      Set.of(
          "add",
          "all",
          "any",
          "arrays",
          "ascii_downcase",
          "ascii_upcase",
          "booleans",
          "ceil",
          "contains",
          "del",
          "empty",
          "endswith",
          "first",
          "flatten",
          "floor",
          "from_entries",
          "fromjson",
          "group_by",
          "has",
          "index",
          "join",
          "keys",
          "last",
          "length",
          "ltrimstr",
          "map",
          "max",
          "max_by",
          "min",
          "min_by",
          "not",
          "nulls",
          "numbers",
          "objects",
          "reverse",
          "round",
          "rtrimstr",
          "select",
          "sort",
          "sort_by",
          "split",
          "startswith",
          "strings",
          "to_entries",
          "tojson",
          "tonumber",
          "tostring",
          "type",
          "unique",
          "values",
          "with_entries");

  private static final Set<String> FORMATS = Set.of("base64", "base64d", "json", "text", "uri");

  private static final Set<String> GRAMMAR =
      Set.of(
          "and", "or", "if", "then", "elif", "else", "end", "as", "try", "catch", "true", "false",
          "null");

  /** The signs in which an equals sign assigns nothing. */
  private static final Set<String> COMPARISONS = Set.of("==", "!=", "<=", ">=");

  private JqWords() {}

  /** Whether a function may be called; {@code signature} is a name, or a name and its arity. */
  static boolean callable(String signature) {
    int slash = signature.indexOf('/');
    String name = slash > 0 ? signature.substring(0, slash) : signature;
    return name.startsWith("@")
        ? FORMATS.contains(name.substring(1))
        : CALLABLE.contains(name) && !signature.equals("split/2");
  }

  /** What stands against an expression; empty if nothing does. */
  static Optional<String> fault(String text, Set<String> variables) {
    if (text.length() > LENGTH_MAX) {
      return Optional.of("longer than " + LENGTH_MAX + " characters");
    }
    Reader reader = new Reader(text, variables);
    reader.read(false);
    return Optional.ofNullable(reader.fault);
  }

  /** Confined to one call. */
  private static final class Reader {
    private final String text;
    private final Set<String> variables;
    private final Set<String> bound = new HashSet<>();
    private int at;
    private @Nullable String fault;

    Reader(String text, Set<String> variables) {
      this.text = text;
      this.variables = variables;
    }

    /** Reads to the end, or to the parenthesis that closes an interpolation. */
    void read(boolean inString) {
      int open = 0;
      char before = ' ';
      while (at < text.length() && fault == null) {
        char c = text.charAt(at);
        if (c == '"') {
          string();
        } else if (c == '#') {
          skipComment();
        } else if (wordStart(c)) {
          word(before);
        } else {
          open += c == '(' ? 1 : c == ')' ? -1 : 0;
          if (open < 0 && inString) {
            return;
          }
          sign(c);
          at++;
        }
        before = at > 0 ? text.charAt(at - 1) : ' ';
      }
    }

    private void sign(char c) {
      if (at + 1 < text.length() && COMPARISONS.contains(text.substring(at, at + 2))) {
        at++;
      } else if (c == '=') {
        // copies all that is beside the place, each time, and fills an array up to an index
        fault = "an assignment ('=', '|=', '+=' and the like) is not available";
      } else if (c == '*') {
        fault = "'*' is not available";
      } else if (c == '.' && at + 1 < text.length() && text.charAt(at + 1) == '.') {
        fault = "'..' is not available";
      } else if (text.startsWith("::", at)) {
        fault = "'::' is not available";
      }
    }

    private void string() {
      at++;
      while (at < text.length() && text.charAt(at) != '"' && fault == null) {
        if (text.startsWith("\\(", at)) {
          at += 2;
          read(true);
        } else if (text.charAt(at) == '\\') {
          at++;
        }
        at++;
      }
      at++;
    }

    private void skipComment() {
      while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
        at++;
      }
    }

    private void word(char before) {
      int from = at;
      while (at < text.length()
          && (wordStart(text.charAt(at)) || Character.isDigit(text.charAt(at)))) {
        at++;
      }
      String word = text.substring(from, at);
      if (before == '$') {
        variable(word, from);
      } else if (before == '@') {
        fault = FORMATS.contains(word) ? null : "format @" + word + " is not available";
      } else if (before != '.' && !isKey() && !GRAMMAR.contains(word) && !CALLABLE.contains(word)) {
        fault = "'" + word + "' is not available";
      }
    }

    private void variable(String word, int from) {
      boolean binds = text.substring(0, from - 1).stripTrailing().endsWith(" as");
      if (binds) {
        bound.add(word);
      } else if (!variables.contains(word) && !bound.contains(word)) {
        fault = "there is no $" + word + " here; there are " + variables.stream().sorted().toList();
      }
    }

    /** Whether a colon follows: then it names a field of an object. */
    private boolean isKey() {
      int next = at;
      while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
        next++;
      }
      return next < text.length() && text.charAt(next) == ':';
    }

    private static boolean wordStart(char c) {
      return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
  }
}
