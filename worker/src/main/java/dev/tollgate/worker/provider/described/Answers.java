package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.tollgate.worker.provider.AnswerReading;
import dev.tollgate.worker.provider.AnswerReading.Form;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Create;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.jq.Jq;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads answers to a create as a descriptor says. Thread-safe; never fails. */
final class Answers {
  private static final List<String> HINT_NAMES = List.of("id", "task_id", "job_id");

  private final Create create;
  private final TaskIds ids;
  private final Map<String, JsonNode> base;

  Answers(Descriptor descriptor, TaskIds ids, Map<String, JsonNode> base) {
    this.create = descriptor.create();
    this.ids = ids;
    this.base = Map.copyOf(base);
  }

  /**
   * What an answer says.
   *
   * @param request the body it answers
   * @param key the submission key that it carried
   */
  AnswerReading read(HttpAnswer answer, Optional<JsonNode> request, String key) {
    PartialJson json = PartialJson.read(answer.body());
    Map<String, JsonNode> variables = variables(base, answer);
    variables.put("request", request.orElse(NullNode.getInstance()));
    variables.put("key", TextNode.valueOf(key));
    JsonNode root = json.root();
    // where a name stands twice nobody knows which value its writer meant
    Optional<String> code =
        json.twice().isEmpty() ? code(create.errorCode(), root, variables) : Optional.empty();
    boolean success = create.acceptedWhen().map(when -> when.isTrue(root, variables)).orElse(true);
    // a result that is not whole is none
    boolean whole = create.outputs().isEmpty() || json.form() == Form.OBJECT;
    Optional<JsonNode> id = whole ? create.id().one(root, variables) : Optional.empty();
    Optional<String> usable =
        id.flatMap(Jq::asText).filter(AnswerReading::usableId).filter(_ -> json.twice().isEmpty());
    return new AnswerReading(
        json.form(),
        usable,
        usable.isPresent() ? unaskable(usable.get()) : fault(json, id),
        code,
        code.isPresent() || (!success && json.form() != Form.OTHER_JSON),
        hint(root));
  }

  /** What names the task in an event of a stream. */
  Optional<String> streamId(JsonNode event, String key) {
    Map<String, JsonNode> variables = new HashMap<>(base);
    variables.put("status", IntNode.valueOf(200));
    variables.put("headers", JsonNodeFactory.instance.objectNode());
    variables.put("request", NullNode.getInstance());
    variables.put("key", TextNode.valueOf(key));
    return create.id().text(event, variables).filter(AnswerReading::usableId).filter(ids::askable);
  }

  /** The code of an error in the provider's own shape. */
  static Optional<String> code(Jq errorCode, JsonNode root, Map<String, JsonNode> variables) {
    return errorCode.text(root, variables).filter(AnswerReading::usableCode);
  }

  /** The variables that expressions about answers have. */
  static Map<String, JsonNode> variables(Map<String, JsonNode> base, HttpAnswer answer) {
    Map<String, JsonNode> variables = new HashMap<>(base);
    ObjectNode headers = JsonNodeFactory.instance.objectNode();
    answer.headers().forEach(headers::put);
    variables.put("headers", headers);
    variables.put("status", IntNode.valueOf(answer.status().orElse(0)));
    return variables;
  }

  private static String fault(PartialJson json, Optional<JsonNode> id) {
    if (json.twice().isPresent()) {
      return "a name stands in it twice with two values";
    }
    if (id.isEmpty()) {
      return "no id";
    }
    return Jq.asText(id.get()).isPresent() ? "unusable id" : "id is no text";
  }

  private String unaskable(String id) {
    return ids.askable(id) ? "" : "its status cannot be asked for";
  }

  /** Something anywhere in an answer that looks like the id of a task. */
  private static Optional<String> hint(JsonNode json) {
    if (json.isObject()) {
      for (String name : HINT_NAMES) {
        Optional<String> hint = usable(json.path(name));
        if (hint.isPresent()) {
          return hint;
        }
      }
    }
    for (JsonNode below : json) {
      Optional<String> hint = below.isContainerNode() ? hint(below) : Optional.empty();
      if (hint.isPresent()) {
        return hint;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> usable(JsonNode value) {
    return value.isTextual()
        ? Optional.of(value.textValue()).filter(AnswerReading::usableId)
        : Optional.empty();
  }
}
