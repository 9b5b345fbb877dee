package dev.tollgate.worker.provider.descriptor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.tollgate.worker.provider.jq.Jq;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A place in a descriptor. It never fails: what is not there or cannot be read becomes a stand-in,
 * and what the schema has not already reported becomes a problem, so that one pass finds them all.
 */
final class Cursor {
  private final YamlText.Document document;
  private final JsonNode node;
  private final String pointer;
  private final List<Problem> problems;

  Cursor(YamlText.Document document, JsonNode node, String pointer, List<Problem> problems) {
    this.document = document;
    this.node = node;
    this.pointer = pointer;
    this.problems = problems;
  }

  JsonNode node() {
    return node;
  }

  boolean isPresent() {
    return !node.isMissingNode() && !node.isNull();
  }

  boolean has(String field) {
    return node.hasNonNull(field);
  }

  Cursor at(String field) {
    JsonNode child = node.isObject() ? node.path(field) : MissingNode.getInstance();
    return new Cursor(document, child, pointer + "/" + YamlText.escaped(field), problems);
  }

  List<Cursor> elements() {
    List<Cursor> elements = new ArrayList<>();
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      elements.add(new Cursor(document, node.get(i), pointer + "/" + i, problems));
    }
    return elements;
  }

  /** What {@code read} makes of a part that is there. */
  <T> Optional<T> part(String field, Function<Cursor, T> read) {
    Cursor part = at(field);
    return part.isPresent() ? Optional.of(read.apply(part)) : Optional.empty();
  }

  /** Each field of an object. */
  <T> Map<String, T> fields(Function<Cursor, T> read) {
    Map<String, T> fields = new LinkedHashMap<>();
    node.fieldNames().forEachRemaining(name -> fields.put(name, read.apply(at(name))));
    return fields;
  }

  String text() {
    return node.isValueNode() && !node.isNull() ? node.asText() : "";
  }

  String text(String field) {
    return at(field).text();
  }

  Optional<String> optionalText(String field) {
    return part(field, Cursor::text);
  }

  List<String> texts(String field) {
    Cursor list = at(field);
    return list.node.isArray()
        ? list.elements().stream().map(Cursor::text).toList()
        : list.isPresent() ? List.of(list.text()) : List.of();
  }

  Set<Integer> statuses(String field) {
    Cursor list = at(field);
    return list.node.isInt()
        ? Set.of(list.node.intValue())
        : Set.copyOf(list.elements().stream().map(e -> e.node.asInt()).toList());
  }

  Duration duration(String field, Duration otherwise) {
    Cursor at = at(field);
    return at.isPresent() ? at.duration() : otherwise;
  }

  Duration duration() {
    try {
      String text = text().toUpperCase(Locale.ROOT);
      boolean days = text.endsWith("D");
      return text.matches("[0-9]{1,9}[SMHD]")
          ? Duration.parse(days ? "P" + text : "PT" + text)
          : Duration.parse(text);
    } catch (DateTimeParseException _) {
      problem("no duration: write 30s, 5m, 24h or 7d");
      return Duration.ZERO;
    }
  }

  LocalDate date() {
    try {
      return LocalDate.parse(text());
    } catch (DateTimeParseException _) {
      problem("no date: write 2026-01-31");
      return LocalDate.EPOCH;
    }
  }

  /** A public document's address. */
  URI document() {
    URI uri = uri();
    if (!"https".equals(uri.getScheme())) {
      problem("must be the https address of the document that says so");
    }
    return uri;
  }

  URI uri() {
    try {
      return new URI(text());
    } catch (URISyntaxException _) {
      problem("no address");
      return URI.create("");
    }
  }

  Jq jq(Set<String> variables) {
    return jq(text(), variables);
  }

  Jq jq(String expression, Set<String> variables) {
    if (expression.isBlank()) {
      if (!text().isEmpty()) { // else the schema says it
        problem("an expression here is empty");
      }
      return nothing();
    }
    try {
      return Jq.compile(expression, variables);
    } catch (Jq.Refused e) {
      problem(String.valueOf(e.getMessage()));
      return nothing();
    }
  }

  void problem(String text) {
    problems.add(new Problem(document.line(pointer), YamlText.path(pointer), text));
  }

  private static Jq nothing() {
    try {
      return Jq.compile("empty", Set.of());
    } catch (Jq.Refused e) {
      throw new AssertionError("'empty' is jq", e);
    }
  }
}
