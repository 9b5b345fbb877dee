package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.tollgate.worker.provider.AnswerReading;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Rejection;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.provider.VerdictRules;
import dev.tollgate.worker.provider.described.Requests.Built;
import dev.tollgate.worker.provider.described.Requests.NotBuilt;
import dev.tollgate.worker.provider.descriptor.Descriptor.Documented;
import dev.tollgate.worker.provider.descriptor.Descriptor.Outputs;
import dev.tollgate.worker.provider.http.HttpAnswer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The examples of creates. Confined to one check. */
final class CreateExamples {

  private final Examples examples;
  private final List<Documented> answers;
  private final VerdictRules rules;
  private final Answers reader;
  private final Set<Integer> shown = new HashSet<>();
  private boolean accepted;

  CreateExamples(Examples examples) {
    this.examples = examples;
    this.answers = examples.descriptor.create().answers();
    this.rules = new VerdictRules(answers.stream().map(Documented::rule).toList());
    this.reader = new Answers(examples.descriptor, examples.ids, examples.base);
  }

  void run() {
    int index = 0;
    for (JsonNode example : examples.descriptor.examples().path("create")) {
      run(example, "/examples/create/" + index);
      index++;
    }
    for (int i = 0; i < answers.size(); i++) {
      if (!shown.contains(i)) {
        examples.problem("/create/answers/" + i, "no example meets this rule");
      }
    }
    if (!accepted) {
      examples.problem("/examples/create", "no example of an accepted create with its request");
    }
  }

  private void run(JsonNode example, String at) {
    Optional<JsonNode> sent = request(example, at);
    HttpAnswer answer = Examples.answer(example.path("answer"));
    AnswerReading reading = reader.read(answer, sent, Examples.key());
    Verdict verdict =
        examples.descriptor.create().stream()
            .flatMap(s -> new StreamExamples(examples, s, reader).run(answer, example, at))
            .orElseGet(() -> rules.judge(answer, _ -> reading).verdict());
    String word = word(verdict);
    examples.expect(at, "the verdict", example.path("verdict").asText(), examples.general(word));
    examples
        .descriptor
        .create()
        .outputs()
        .filter(_ -> verdict instanceof Verdict.Accepted)
        .ifPresent(outputs -> outputs(outputs, answer, example, at));
    accepted |= verdict instanceof Verdict.Accepted && example.has("request");
    int status = answer.status().orElse(0);
    reading.errorCode().ifPresent(code -> meet(status, code));
  }

  private void outputs(Outputs outputs, HttpAnswer answer, JsonNode example, String at) {
    List<String> said = new ArrayList<>();
    example.path("outputs").forEach(output -> said.add(output.asText()));
    List<String> came = new ArrayList<>();
    AnswerResults.first(outputs, answer.body(), examples.base)
        .ifPresent(
            output ->
                came.add(
                    output.isTextual()
                        ? output.asText()
                        : output.has("base64")
                            ? "base64:" + output.get("base64").asText().length()
                            : output.path("url").asText()));
    examples.expect(at, "the output", said, came);
  }

  private void meet(int status, String code) {
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i).rule().fits(status, code)) {
        shown.add(i);
        return;
      }
    }
  }

  /** Builds the request and compares what the example names of it. */
  private Optional<JsonNode> request(JsonNode example, String at) {
    if (!example.has("params")) {
      return Optional.empty();
    }
    JsonNode params = example.get("params");
    examples
        .descriptor
        .params()
        .flatMap(schema -> new ParamsRule(schema).objection(Bytes.copyOf(Requests.bytes(params))))
        .ifPresent(objection -> examples.problem(at + "/params", objection));
    try {
      Built built = examples.built(params);
      compare(example.path("request"), built, at + "/request");
      return built.json();
    } catch (NotBuilt e) {
      examples.problem(at, "the request cannot be built: " + e.getMessage());
      return Optional.empty();
    }
  }

  private void compare(JsonNode said, Built built, String at) {
    String[] target = built.target().split("\\?", 2);
    if (said.has("path")) {
      String path = target[0].substring(examples.config.endpoint().getRawPath().length());
      examples.expect(at, "the path", said.get("path").asText(), examples.general(path));
    }
    if (said.has("query")) {
      String query = target.length > 1 ? target[1] : "";
      examples.expect(at, "the query", said.get("query").asText(), examples.general(query));
    }
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(built.headers());
    said.path("headers")
        .properties()
        .forEach(
            header ->
                examples.expect(
                    at,
                    "header " + header.getKey(),
                    header.getValue().asText(),
                    examples.general(headers.getOrDefault(header.getKey(), "(none)"))));
    if (said.has("body")) {
      examples.expect(at, "the body", sorted(said.get("body")), sorted(general(built.json())));
    }
  }

  private JsonNode general(Optional<JsonNode> body) {
    String text =
        new String(
            Requests.bytes(body.orElse(JsonNodeFactory.instance.nullNode())),
            StandardCharsets.UTF_8);
    return PartialJson.whole(examples.general(text).getBytes(StandardCharsets.UTF_8))
        .orElse(JsonNodeFactory.instance.nullNode());
  }

  /** In one form, whatever the order of fields and the kind of number. */
  private static String sorted(JsonNode json) {
    return Lists.canonical(json).map(Bytes::toUtf8).orElseGet(json::toString);
  }

  private static String word(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Accepted(String id, String _) -> "accepted " + id;
      case Verdict.Rejected(Rejection rejection, String _) ->
          rejection == Rejection.PERMANENT
              ? "rejected"
              : rejection.name().toLowerCase(Locale.ROOT).replace('_', '-');
      case Verdict.Throttled _ -> "throttled";
      case Verdict.NotSent _ -> "not sent";
      case Verdict.Unknown _ -> "unknown";
    };
  }
}
