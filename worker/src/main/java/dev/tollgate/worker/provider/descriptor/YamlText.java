package dev.tollgate.worker.provider.descriptor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A YAML 1.2 document as JSON, with the line of each value. Keys are strings and unique; anchors,
 * aliases and tags of one's own are refused, so that what is read is what is written there.
 */
final class YamlText {
  static final int LENGTH_MAX = 256 * 1024;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Map<String, Integer> lines = new HashMap<>();
  private final List<Problem> problems;

  private YamlText(List<Problem> problems) {
    this.problems = problems;
  }

  /**
   * A document.
   *
   * @param root its value
   * @param lines line of each value by its JSON pointer, from 1
   */
  record Document(JsonNode root, Map<String, Integer> lines) {
    /** The line of a value, or of the nearest one around it. */
    int line(String pointer) {
      String at = pointer;
      while (!lines.containsKey(at) && !at.isEmpty()) {
        at = at.substring(0, at.lastIndexOf('/'));
      }
      return lines.getOrDefault(at, 1);
    }
  }

  /** Reads {@code text}; what is wrong with it as YAML is added to {@code problems}. */
  static Document read(String text, List<Problem> problems) {
    YamlText reader = new YamlText(problems);
    JsonNode root = NODES.objectNode();
    if (text.length() > LENGTH_MAX) {
      problems.add(new Problem(1, "", "longer than " + LENGTH_MAX + " characters"));
      return new Document(root, Map.of());
    }
    try {
      Optional<Node> node =
          new Compose(LoadSettings.builder().setLabel("descriptor").build()).composeString(text);
      root = node.map(found -> reader.value(found, "")).orElse(root);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      problems.add(new Problem(line, "", "no YAML: " + e.getProblem()));
    } catch (YamlEngineException e) {
      problems.add(new Problem(1, "", "no YAML: " + e.getMessage()));
    } catch (StackOverflowError _) {
      problems.add(new Problem(1, "", "nested too deeply"));
    }
    return new Document(root, reader.lines);
  }

  private JsonNode value(Node node, String pointer) {
    lines.put(pointer, line(node));
    if (node.getAnchor().isPresent()) {
      problem(node, pointer, "anchors and aliases are not available");
    }
    return switch (node) {
      case MappingNode mapping -> object(mapping, pointer);
      case SequenceNode sequence -> array(sequence, pointer);
      case ScalarNode scalar -> scalar(scalar, pointer);
      default -> NODES.nullNode();
    };
  }

  private ObjectNode object(MappingNode mapping, String pointer) {
    ObjectNode object = NODES.objectNode();
    for (NodeTuple field : mapping.getValue()) {
      if (!(field.getKeyNode() instanceof ScalarNode key)) {
        problem(field.getKeyNode(), pointer, "a key must be a plain word");
        continue;
      }
      String at = pointer + "/" + escaped(key.getValue());
      if (object.has(key.getValue())) {
        problem(key, at, "stands here twice");
      }
      object.set(key.getValue(), value(field.getValueNode(), at));
      lines.put(at, line(key));
    }
    return object;
  }

  private ArrayNode array(SequenceNode sequence, String pointer) {
    ArrayNode array = NODES.arrayNode();
    int index = 0;
    for (Node element : sequence.getValue()) {
      array.add(value(element, pointer + "/" + index));
      index++;
    }
    return array;
  }

  private JsonNode scalar(ScalarNode scalar, String pointer) {
    String text = scalar.getValue();
    Tag tag = scalar.getTag();
    try {
      if (tag.equals(Tag.NULL)) {
        return NODES.nullNode();
      }
      if (tag.equals(Tag.BOOL)) {
        return NODES.booleanNode(Boolean.parseBoolean(text));
      }
      if (tag.equals(Tag.INT)) {
        return integer(new BigInteger(text));
      }
      if (tag.equals(Tag.FLOAT)) {
        return NODES.numberNode(new BigDecimal(text));
      }
    } catch (NumberFormatException _) {
      problem(scalar, pointer, "no number that JSON has: write it in quotes if it is a text");
    }
    if (!tag.equals(Tag.STR) && !tag.equals(Tag.FLOAT) && !tag.equals(Tag.INT)) {
      problem(scalar, pointer, "tags are not available: " + tag);
    }
    return NODES.textNode(text);
  }

  private static JsonNode integer(BigInteger number) {
    return number.bitLength() < Integer.SIZE
        ? NODES.numberNode(number.intValueExact())
        : number.bitLength() < Long.SIZE
            ? NODES.numberNode(number.longValueExact())
            : NODES.numberNode(number);
  }

  private void problem(Node node, String pointer, String text) {
    problems.add(new Problem(line(node), path(pointer), text));
  }

  private static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }

  static String escaped(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }

  /** A pointer as people write a place: {@code create.answers[2].source}. */
  static String path(String pointer) {
    StringBuilder path = new StringBuilder();
    for (String part : pointer.split("/", -1)) {
      String key = part.replace("~1", "/").replace("~0", "~");
      if (key.isEmpty() && path.isEmpty()) {
        continue;
      }
      if (key.matches("[0-9]+")) {
        path.append('[').append(key).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(key);
      }
    }
    return path.toString();
  }
}
