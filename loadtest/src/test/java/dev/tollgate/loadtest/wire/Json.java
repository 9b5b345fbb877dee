package dev.tollgate.loadtest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** JSON trees: read from YAML, filled with values, compared with what they should look like. */
final class Json {
  static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final Pattern PLACE = Pattern.compile("\\$\\{([a-z_0-9.-]+)}");

  private Json() {}

  /** The text of a file on the test's class path. */
  static String resource(String path) {
    try (InputStream in = Json.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ObjectNode yaml(String text) {
    return MAPPER.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(text));
  }

  /** What bytes say; missing if they are not JSON. */
  static JsonNode read(byte[] bytes) {
    try {
      JsonNode read = MAPPER.readTree(bytes);
      return read == null ? MissingNode.getInstance() : read;
    } catch (IOException _) {
      return MissingNode.getInstance();
    }
  }

  /** Fills {@code ${name}}: a text that is nothing else becomes the value itself. */
  static JsonNode fill(JsonNode template, Map<String, JsonNode> values) {
    if (template.isObject()) {
      ObjectNode filled = NODES.objectNode();
      template.properties().forEach(e -> filled.set(e.getKey(), fill(e.getValue(), values)));
      return filled;
    }
    if (template.isArray()) {
      List<JsonNode> filled = new ArrayList<>();
      template.forEach(node -> filled.add(fill(node, values)));
      return NODES.arrayNode().addAll(filled);
    }
    if (!template.isTextual()) {
      return template;
    }
    Matcher place = PLACE.matcher(template.textValue());
    if (place.matches()) {
      return value(place.group(1), values);
    }
    return NODES.textNode(
        place.replaceAll(
            found -> Matcher.quoteReplacement(value(found.group(1), values).asText())));
  }

  /** A text's digits as a number; null if it is anything else. */
  static JsonNode number(String text) {
    return text.matches("[0-9]{1,18}") ? NODES.numberNode(Long.parseLong(text)) : NODES.nullNode();
  }

  private static JsonNode value(String name, Map<String, JsonNode> values) {
    JsonNode value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no value ${" + name + "}; there are " + values.keySet());
    }
    return value;
  }

  /** {@code over} laid over {@code under}: objects field by field, anything else as a whole. */
  static ObjectNode merged(JsonNode under, JsonNode over) {
    ObjectNode merged = NODES.objectNode();
    under.properties().forEach(e -> merged.set(e.getKey(), e.getValue()));
    over.properties().forEach(e -> merged.set(e.getKey(), e.getValue()));
    return merged;
  }

  /** The texts of an array, or the one text that stands in its place. */
  static List<String> texts(JsonNode node) {
    List<String> texts = new ArrayList<>();
    if (node.isArray()) {
      node.forEach(one -> texts.add(one.asText()));
    } else if (!node.isMissingNode()) {
      texts.add(node.asText());
    }
    return texts;
  }

  /**
   * In what way {@code actual} does not look as expected. A text that begins with {@code ~} is a
   * regular expression. A name that ends with {@code ?} may be absent, one with {@code @} is there
   * exactly when callbacks are in use; any name that is not expected is a fault.
   */
  static List<String> faults(JsonNode expected, JsonNode actual, boolean callbacks, String at) {
    List<String> faults = new ArrayList<>();
    if (expected.isObject() && actual.isObject()) {
      ObjectNode rest = actual.deepCopy();
      expected
          .properties()
          .forEach(
              e -> {
                String name = e.getKey().replaceFirst("[?@]$", "");
                JsonNode value = rest.path(name);
                rest.remove(name);
                boolean must = e.getKey().equals(name) || (callbacks && e.getKey().endsWith("@"));
                boolean may = must || e.getKey().endsWith("?");
                if (value.isMissingNode()) {
                  if (must) {
                    faults.add(at + "/" + name + " is missing");
                  }
                } else if (may) {
                  faults.addAll(faults(e.getValue(), value, callbacks, at + "/" + name));
                } else {
                  faults.add(at + "/" + name + " is there without a callback in use");
                }
              });
      rest.fieldNames().forEachRemaining(name -> faults.add(at + "/" + name + " is not expected"));
    } else if (expected.isArray() && actual.isArray() && expected.size() == actual.size()) {
      for (int i = 0; i < expected.size(); i++) {
        faults.addAll(faults(expected.get(i), actual.get(i), callbacks, at + "/" + i));
      }
    } else if (expected.isTextual() && expected.textValue().startsWith("~")) {
      String pattern = expected.textValue().substring(1);
      if (!actual.isTextual() || !actual.textValue().matches(pattern)) {
        faults.add(at + " is " + actual + ", not " + pattern);
      }
    } else if (!expected.equals(actual)) {
      faults.add(at + " is " + actual + ", not " + expected);
    }
    return faults;
  }
}
