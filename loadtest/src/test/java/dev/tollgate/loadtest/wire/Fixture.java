package dev.tollgate.loadtest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One provider's wire as its own documents describe it, from {@code wire/NAME.yaml}: what a create
 * must look like, what the provider answers, and what has to follow from each answer. Nothing in it
 * is taken from the provider's descriptor. Immutable.
 *
 * @param name the descriptor's name
 */
record Fixture(String name, ObjectNode root) {
  private static final String UNDER_TEST = "a red kite over the dunes";

  static Fixture read(String name) {
    return new Fixture(name, Json.yaml(Json.resource("/wire/" + name + ".yaml")));
  }

  /** Something in it; missing if it is not there. */
  JsonNode at(String pointer) {
    return root.at(pointer);
  }

  /** The documented address of the service: scheme and host, without a path. */
  String address() {
    return root.path("address").asText();
  }

  static String prompt(String caseName) {
    return UNDER_TEST + ", case " + caseName;
  }

  /** The case that a request belongs to, by its prompt; empty for a stranger's. */
  static String caseOf(String text) {
    int at = text.indexOf(UNDER_TEST + ", case ");
    return at < 0
        ? ""
        : text.substring(at + UNDER_TEST.length() + ", case ".length())
            .replaceFirst("(?s)[^a-z0-9-].*", "");
  }

  /** What a request's params are in a case. */
  JsonNode params(String caseName) {
    return Json.fill(root.path("params"), Map.of("prompt", Json.NODES.textNode(prompt(caseName))));
  }

  /** The cases, those of every provider first, then the provider's own. */
  List<WireCase> cases() {
    Map<String, ObjectNode> cases = new LinkedHashMap<>();
    JsonNode ends = ends();
    JsonNode lost = root.path("lost");
    cases.put("accepted", of(ends, List.of("created"), "running", "running", "succeeded"));
    cases.put(
        "task-failed", of(failed("PROVIDER_FAILED"), List.of("created"), "running", "failed"));
    cases.put("answer-lost", of(lost, List.of("lost")));
    cases.put("answer-without-id", of(lost, List.of("no-id")));
    cases.put("gateway-page-after-acceptance", of(lost, List.of("gateway")));
    cases.put("fc42-answer-slower-than-the-deadline", of(lost, List.of("hold")));
    if (root.has("unknown-task")) {
      cases.put(
          "fc47-not-found-at-first",
          of(ends, List.of("created"), "unknown", "unknown", "unknown", "succeeded"));
    }
    cases.put(
        "fc56-fc42-poll-blips",
        of(ends, List.of("created"), "cut", "limited", "broken", "running", "succeeded"));
    if (root.has("swallowed")) {
      cases.put("request-swallowed", of(root.path("swallowed"), List.of("swallow", "created")));
    }
    root.path("rejections")
        .properties()
        .forEach(
            e -> {
              ObjectNode spec = of(refused(e.getValue()), List.of(e.getKey()));
              cases.put("rejected-" + e.getKey(), spec.put("tasks", 0));
            });
    root.path("throttles")
        .fieldNames()
        .forEachRemaining(
            name -> {
              ObjectNode spec = of(with(ends, "PROVIDER_THROTTLED"), List.of(name, "created"));
              cases.put("throttled-" + name, spec.put("creates", 2));
            });
    root.path("doubts")
        .fieldNames()
        .forEachRemaining(name -> cases.put("no-proof-" + name, of(lost, List.of(name))));
    root.path("cases")
        .properties()
        .forEach(
            e -> {
              JsonNode base = e.getValue().path("as-lost").asBoolean() ? lost : ends;
              cases.put(e.getKey(), Json.merged(base, e.getValue()));
            });
    return cases(cases);
  }

  /** The same provider, configured in another way, by what its name ends with. */
  Map<String, JsonNode> variants() {
    Map<String, JsonNode> variants = new LinkedHashMap<>();
    root.path("variants").properties().forEach(e -> variants.put(e.getKey(), e.getValue()));
    return variants;
  }

  static List<WireCase> casesOf(JsonNode variant) {
    Map<String, JsonNode> cases = new LinkedHashMap<>();
    variant.path("cases").properties().forEach(e -> cases.put(e.getKey(), e.getValue()));
    return cases(cases);
  }

  static Map<String, String> configOf(JsonNode variant) {
    return config(variant.path("config"));
  }

  /** What has to be configured besides where callbacks cannot reach us. */
  Map<String, String> configWithoutCallbacks() {
    return config(root.path("config-without-callbacks"));
  }

  private static Map<String, String> config(JsonNode object) {
    Map<String, String> config = new LinkedHashMap<>();
    object.properties().forEach(e -> config.put(e.getKey(), e.getValue().asText()));
    return config;
  }

  /** What happens where callbacks cannot reach us. */
  List<WireCase> casesWithoutCallbacks() {
    JsonNode lost =
        root.path(root.has("lost-without-callbacks") ? "lost-without-callbacks" : "lost");
    Map<String, JsonNode> cases = new LinkedHashMap<>();
    cases.put("accepted", of(ends(), List.of("created"), "running", "succeeded"));
    cases.put("answer-lost", of(lost, List.of("lost")));
    return cases(cases);
  }

  /** FC-44: a proxy on the way sends one create to three backends; none if it is not tried here. */
  List<WireCase> casesOfThree() {
    return root.has("thrice-sent")
        ? List.of(WireCase.of("fc44-three-backends", root.path("thrice-sent")))
        : List.of();
  }

  /** Whether its creates carry a callback address where callbacks are in use. */
  boolean callbacks() {
    return root.path("callbacks").asBoolean();
  }

  private static List<WireCase> cases(Map<String, ? extends JsonNode> specs) {
    List<WireCase> cases = new ArrayList<>();
    specs.forEach((caseName, spec) -> cases.add(WireCase.of(caseName, spec)));
    return cases;
  }

  /**
   * Where a task that succeeds leads: to a stored output, unless only the customer can fetch it.
   */
  private JsonNode ends() {
    return root.has("ends") ? root.path("ends") : Json.NODES.objectNode().put("state", "complete");
  }

  /**
   * What a refusal comes to, by its class where the documents tell one. That of a credential or an
   * account ends nothing.
   */
  private static ObjectNode refused(JsonNode error) {
    String why = error.path("class").asText("");
    if (why.equals("AUTH") || why.equals("QUOTA")) {
      return with(Json.NODES.objectNode().put("state", "prepared"), "ACCOUNT_REFUSED " + why);
    }
    return failed(why.isEmpty() ? "PROVIDER_REJECTED" : "PROVIDER_REJECTED " + why);
  }

  private static ObjectNode failed(String why) {
    return with(Json.NODES.objectNode().put("state", "failed"), why);
  }

  private static ObjectNode with(JsonNode expected, String evidence) {
    ObjectNode more = Json.merged(expected, Json.NODES.objectNode());
    more.set(
        "evidence", Json.NODES.arrayNode().add(evidence).addAll(nodes(expected.path("evidence"))));
    return more;
  }

  private static List<JsonNode> nodes(JsonNode array) {
    List<JsonNode> nodes = new ArrayList<>();
    array.forEach(nodes::add);
    return nodes;
  }

  private static ObjectNode of(JsonNode expected, List<String> create, String... status) {
    ObjectNode spec = Json.merged(expected, Json.NODES.objectNode());
    spec.set("create", texts(create));
    if (status.length > 0) {
      spec.set("status", texts(List.of(status)));
    }
    return spec;
  }

  private static ArrayNode texts(List<String> texts) {
    ArrayNode array = Json.NODES.arrayNode();
    texts.forEach(array::add);
    return array;
  }
}
