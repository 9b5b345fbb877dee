package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.provider.described.Lists.Page;
import dev.tollgate.worker.provider.described.ReadAnswers.Read;
import dev.tollgate.worker.provider.described.ReadAnswers.Whole;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Listed;
import dev.tollgate.worker.provider.descriptor.Descriptor.Many;
import dev.tollgate.worker.provider.descriptor.Descriptor.Missing;
import dev.tollgate.worker.provider.descriptor.Descriptor.Outputs;
import dev.tollgate.worker.provider.descriptor.Descriptor.Status;
import dev.tollgate.worker.provider.descriptor.Descriptor.Webhook;
import dev.tollgate.worker.provider.jq.Jq;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The examples of status calls, look-ups and webhooks. Confined to one check. */
final class ReadExamples {
  private final Examples examples;
  private final Descriptor descriptor;
  private final ReadAnswers answers;

  ReadExamples(Examples examples) {
    this.examples = examples;
    this.descriptor = examples.descriptor;
    this.answers =
        new ReadAnswers(descriptor, examples.base, () -> examples.config.credentials().redactor());
  }

  void run() {
    JsonNode all = descriptor.examples();
    descriptor.status().ifPresent(status -> statuses(status, all));
    descriptor.status().flatMap(Status::many).ifPresent(many -> many(many, all.path("many")));
    descriptor
        .find()
        .ifPresent(find -> lists("find", find.listed(), find.missing(), Optional.empty()));
    descriptor
        .list()
        .ifPresent(
            list -> lists("list", list.listed(), Optional.empty(), Optional.of(list.next())));
    descriptor.webhook().ifPresent(this::webhooks);
  }

  private void statuses(Status status, JsonNode all) {
    Set<String> states = new HashSet<>();
    for (int i = 0; i < all.path("status").size(); i++) {
      states.add(status(status, all.path("status").get(i), "/examples/status/" + i));
    }
    for (String needed : List.of("succeeded", "failed")) {
      if (!states.contains(needed)) {
        examples.problem("/examples/status", "no example of a task that " + needed);
      }
    }
  }

  private void many(Many many, JsonNode all) {
    if (all.isEmpty()) {
      examples.problem("/status/many", "there is no example of it");
    }
    for (int i = 0; i < all.size(); i++) {
      JsonNode example = all.get(i);
      String at = "/examples/many/" + i;
      Map<String, JsonNode> asking = new HashMap<>(examples.base);
      asking.put("ids", example.path("ids"));
      try {
        examples.requests.build(many.call(), none(), asking);
      } catch (Requests.NotBuilt e) {
        examples.problem(at, "the request cannot be built: " + e.getMessage());
      }
      Statuses statuses =
          new Statuses(descriptor.status().orElseThrow(), examples.config.credentials().redactor());
      Map<String, String> states = new TreeMap<>();
      if (answers.judge(Examples.answer(example.path("answer")), Optional.empty())
          instanceof Read.Ok(Whole whole)) {
        Map<String, JsonNode> variables = new HashMap<>(whole.variables());
        variables.put("ids", example.path("ids"));
        for (JsonNode task : many.tasks().all(whole.json(), variables)) {
          String id = many.id().text(task, examples.base).orElse("");
          Whole one = new Whole(task, whole.variables());
          states.put(id, word(statuses.read(named(one, id), id)));
        }
      }
      Map<String, String> wanted = new TreeMap<>();
      example
          .path("states")
          .properties()
          .forEach(field -> wanted.put(field.getKey(), field.getValue().asText()));
      examples.expect(at, "the states", wanted.toString(), states.toString());
    }
  }

  private String status(Status asked, JsonNode example, String at) {
    Statuses statuses = new Statuses(asked, examples.config.credentials().redactor());
    String id = example.path("id").asText();
    try {
      Map<String, JsonNode> asking = Reads.plus(examples.base, "id", id);
      examples.requests.build(asked.call(), none(), asking);
    } catch (Requests.NotBuilt e) {
      examples.problem(at, "the request cannot be built: " + e.getMessage());
    }
    StatusResult result =
        switch (answers.judge(Examples.answer(example.path("answer")), asked.missing())) {
          case Read.Failed failed -> new StatusResult.Unavailable(failed.reason());
          case Read.Throttled(Duration retryAfter) -> new StatusResult.Throttled(retryAfter);
          case Read.NoSuchTask _ -> new StatusResult.NotFound();
          case Read.Ok(Whole whole) -> statuses.read(named(whole, id), id);
        };
    examples.expect(at, "the state", example.path("state").asText(), word(result));
    if (result instanceof StatusResult.Status status) {
      status
          .error()
          .ifPresent(
              error -> {
                if (example.has("error")) {
                  examples.expect(at, "the error", example.get("error").asText(), error.code());
                }
              });
      if (status.state() == TaskState.SUCCEEDED) {
        outputs(example, at, id);
      }
    }
    return word(result);
  }

  private void outputs(JsonNode example, String at, String id) {
    String field =
        descriptor.outputs().flatMap(Outputs::call).isPresent() ? "outputs-answer" : "answer";
    if (!example.has("outputs") || !example.has(field)) {
      examples.problem(at, "a task that succeeded needs 'outputs' (and '" + field + "')");
      return;
    }
    List<String> said = new ArrayList<>();
    example.get("outputs").forEach(output -> said.add(output.asText()));
    List<String> came = new ArrayList<>();
    if (answers.judge(Examples.answer(example.get(field)), Optional.empty())
        instanceof Read.Ok(Whole whole)) {
      Whole named = named(whole, id);
      descriptor
          .outputs()
          .orElseThrow()
          .from()
          .all(named.json(), named.variables())
          .forEach(
              output ->
                  came.add(output.isTextual() ? output.asText() : output.path("url").asText()));
    }
    examples.expect(at, "the outputs", said, came);
  }

  private void lists(String section, Listed listed, Optional<Missing> missing, Optional<Jq> next) {
    JsonNode all = descriptor.examples().path(section);
    if (all.isEmpty()) {
      examples.problem("/" + section, "there is no example of it");
    }
    for (int i = 0; i < all.size(); i++) {
      String at = "/examples/" + section + "/" + i;
      JsonNode example = all.get(i);
      Optional<Whole> whole = Optional.empty();
      Optional<Page> page = Optional.empty();
      switch (answers.judge(Examples.answer(example.path("answer")), missing)) {
        case Read.Ok(Whole read) -> {
          whole = Optional.of(read);
          page = Lists.page(listed, examples.ids, read);
        }
        case Read.NoSuchTask _ -> page = Optional.of(new Page(List.of(), true));
        case Read.Throttled _ -> examples.problem(at, "it was asked too often");
        case Read.Failed failed -> examples.problem(at, failed.reason());
      }
      if (page.isEmpty()) {
        examples.problem(at, "no list of tasks is found in it");
        continue;
      }
      compare(example, at, page.get());
      if (next.isPresent() && whole.isPresent()) {
        Map<String, JsonNode> variables = new HashMap<>(whole.get().variables());
        variables.put("page", JsonNodeFactory.instance.numberNode(1));
        String came =
            next.get().one(whole.get().json(), variables).map(JsonNode::asText).orElse("");
        examples.expect(at, "the next page", example.path("next").asText(""), came);
      }
    }
  }

  private void compare(JsonNode example, String at, Page page) {
    List<String> said = new ArrayList<>();
    example.path("tasks").forEach(id -> said.add(id.asText()));
    examples.expect(at, "the tasks", said, page.tasks().stream().map(Candidate::remoteId).toList());
    examples.expect(at, "whether all could be read", true, page.readable());
    if (example.has("matches")) {
      List<String> matches = new ArrayList<>();
      example.get("matches").forEach(id -> matches.add(id.asText()));
      Optional<Bytes> wanted =
          example.has("params") ? examples.comparable(example.get("params")) : Optional.empty();
      examples.expect(
          at,
          "what matches",
          matches,
          page.tasks().stream()
              .filter(task -> matches(task, wanted))
              .map(Candidate::remoteId)
              .toList());
    }
  }

  private static boolean matches(Candidate task, Optional<Bytes> wanted) {
    return task.reference().equals(Optional.of(Examples.key()))
        || (wanted.isPresent() && task.canonicalInput().equals(wanted));
  }

  private void webhooks(Webhook webhook) {
    JsonNode all = descriptor.examples().path("webhook");
    if (all.isEmpty()) {
      examples.problem("/webhook", "there is no example of it");
    }
    for (int i = 0; i < all.size(); i++) {
      JsonNode example = all.get(i);
      String at = "/examples/webhook/" + i;
      Map<String, JsonNode> variables = new HashMap<>(examples.base);
      ObjectNode headers = JsonNodeFactory.instance.objectNode();
      example
          .path("headers")
          .properties()
          .forEach(field -> headers.set(field.getKey().toLowerCase(Locale.ROOT), field.getValue()));
      variables.put("headers", headers);
      JsonNode body = example.path("body");
      webhook
          .challenge()
          .ifPresent(
              jq ->
                  examples.expect(
                      at,
                      "the answer to a challenge",
                      text(Optional.of(example.path("challenge"))),
                      text(jq.one(body, variables))));
      examples.expect(
          at,
          "the task",
          example.path("task-id").asText(),
          webhook.id().text(body, variables).orElse(""));
      webhook
          .reference()
          .ifPresent(
              jq ->
                  examples.expect(
                      at,
                      "the reference",
                      example.path("reference").asText(),
                      jq.text(body, variables).orElse("")));
      webhook
          .event()
          .ifPresent(
              jq ->
                  examples.expect(
                      at,
                      "the event",
                      example.path("event-id").asText(),
                      jq.text(body, variables).orElse("")));
      webhook
          .word()
          .ifPresent(
              jq ->
                  examples.expect(
                      at,
                      "the state",
                      example.path("state").asText(),
                      state(jq.text(body, variables))));
    }
  }

  private static String text(Optional<JsonNode> json) {
    return json.filter(found -> !found.isMissingNode() && !found.isNull())
        .map(JsonNode::toString)
        .orElse("");
  }

  private String state(Optional<String> word) {
    return word.map(
            found ->
                descriptor
                    .status()
                    .map(status -> status.words().get(found))
                    .map(state -> state.name().toLowerCase(Locale.ROOT))
                    .orElse("unknown " + found))
        .orElse("");
  }

  private static Whole named(Whole whole, String id) {
    return new Whole(whole.json(), Reads.plus(whole.variables(), "id", id));
  }

  private static String word(StatusResult result) {
    return switch (result) {
      case StatusResult.Status status -> status.state().name().toLowerCase(Locale.ROOT);
      case StatusResult.NotFound _ -> "missing";
      case StatusResult.Unavailable _ -> "unavailable";
      case StatusResult.Throttled _ -> "throttled";
      case StatusResult.UnknownWord(String word) -> "unknown " + word;
    };
  }

  private static JsonNode none() {
    return JsonNodeFactory.instance.nullNode();
  }
}
