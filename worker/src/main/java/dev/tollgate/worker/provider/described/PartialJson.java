package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tollgate.worker.provider.AnswerReading.Form;
import java.io.IOException;
import java.util.Optional;

/**
 * A JSON text as far as it came: what stands before a cut is there, what the cut goes through is
 * not.
 *
 * @param root the value; null if there is none
 * @param form whether it is whole
 * @param twice a name that stands in one object with two different values
 */
record PartialJson(JsonNode root, Form form, Optional<String> twice) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int DEPTH_MAX = 200;

  /** A page of tasks has thousands; each costs some tens of bytes. */
  private static final int VALUES_MAX = 1_000_000;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .build();

  /** Reads {@code bytes}; never fails. */
  static PartialJson read(byte[] bytes) {
    Reader reader = new Reader();
    reader.read(bytes);
    return new PartialJson(reader.root, reader.form, reader.twice);
  }

  /** The value of a whole text with no name twice; empty otherwise. */
  static Optional<JsonNode> whole(byte[] bytes) {
    PartialJson json = read(bytes);
    boolean whole = json.form == Form.OBJECT || json.form == Form.OTHER_JSON;
    return whole && json.twice.isEmpty() ? Optional.of(json.root) : Optional.empty();
  }

  private static void nothing() {}

  /** Confined to one call. */
  private static final class Reader {
    private JsonNode root = NODES.nullNode();
    private Form form = Form.NOT_JSON;
    private Optional<String> twice = Optional.empty();
    private int values;

    void read(byte[] bytes) {
      try (JsonParser json = JSON.createParser(bytes)) {
        JsonToken first = json.nextToken();
        if (first == null) {
          form = Form.EMPTY;
        } else if (first == JsonToken.START_OBJECT) {
          form = Form.BROKEN_OBJECT; // until its end was seen
          ObjectNode object = NODES.objectNode();
          root = object;
          fill(object, json);
          form = json.nextToken() == null ? Form.OBJECT : Form.BROKEN_OBJECT;
        } else {
          JsonNode value = value(json, first);
          form = json.nextToken() == null ? Form.OTHER_JSON : Form.NOT_JSON;
          root = form == Form.OTHER_JSON ? value : root;
        }
      } catch (IOException | RuntimeException _) {
        // the form and what was read until here say it all
      }
    }

    private void count() throws IOException {
      values++;
      if (values > VALUES_MAX) {
        throw new IOException("more values than any answer needs");
      }
    }

    private void fill(ObjectNode object, JsonParser json) throws IOException {
      count();
      Runnable afterNext = PartialJson::nothing;
      for (JsonToken t = json.nextToken(); t != JsonToken.END_OBJECT; t = json.nextToken()) {
        afterNext.run();
        afterNext = PartialJson::nothing;
        String name = json.currentName();
        JsonToken token = json.nextToken();
        JsonNode known = object.get(name);
        // hung in before it is filled, so that a cut leaves what it has
        if (token == JsonToken.START_OBJECT && known == null) {
          fill(object.putObject(name), json);
        } else if (token == JsonToken.START_ARRAY && known == null) {
          fill(object.putArray(name), json);
        } else {
          JsonNode value = value(json, token);
          if (known != null && !known.equals(value)) {
            twice = Optional.of(name);
          }
          // the digits of a number may go on behind a cut: it counts once something follows it
          afterNext = () -> object.set(name, value);
          if (!token.isNumeric()) {
            afterNext.run();
            afterNext = PartialJson::nothing;
          }
        }
      }
      afterNext.run();
    }

    private void fill(ArrayNode array, JsonParser json) throws IOException {
      count();
      Runnable afterNext = PartialJson::nothing;
      for (JsonToken t = json.nextToken(); t != JsonToken.END_ARRAY; t = json.nextToken()) {
        afterNext.run();
        afterNext = PartialJson::nothing;
        if (t == JsonToken.START_OBJECT) {
          fill(array.addObject(), json);
        } else if (t == JsonToken.START_ARRAY) {
          fill(array.addArray(), json);
        } else {
          JsonNode value = value(json, t);
          afterNext = () -> array.add(value);
          if (!t.isNumeric()) {
            afterNext.run();
            afterNext = PartialJson::nothing;
          }
        }
      }
      afterNext.run();
    }

    private JsonNode value(JsonParser json, JsonToken token) throws IOException {
      count();
      return switch (token) {
        case START_OBJECT -> {
          ObjectNode object = NODES.objectNode();
          fill(object, json);
          yield object;
        }
        case START_ARRAY -> {
          ArrayNode array = NODES.arrayNode();
          fill(array, json);
          yield array;
        }
        case VALUE_STRING -> NODES.textNode(json.getText()); // fails if its end did not come
        case VALUE_NUMBER_INT -> integer(json);
        case VALUE_NUMBER_FLOAT -> NODES.numberNode(json.getDecimalValue());
        case VALUE_TRUE -> NODES.booleanNode(true);
        case VALUE_FALSE -> NODES.booleanNode(false);
        default -> NODES.nullNode();
      };
    }

    private static JsonNode integer(JsonParser json) throws IOException {
      return switch (json.getNumberType()) {
        case INT -> NODES.numberNode(json.getIntValue());
        case LONG -> NODES.numberNode(json.getLongValue());
        default -> NODES.numberNode(json.getBigIntegerValue());
      };
    }
  }
}
