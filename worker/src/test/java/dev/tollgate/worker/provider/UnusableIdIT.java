package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.tollgate.worker.provider.described.DescribedAdapter;
import dev.tollgate.worker.provider.described.DescribedConfig;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Auth;
import dev.tollgate.worker.provider.spi.RequestSigner;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The answer to a create names a task by an id that leads out of the place where ids stand: the
 * task exists, and must count neither as accepted, since nothing more could be learned of it, nor
 * as absent.
 */
class UnusableIdIT {
  /** Their status calls carry the id where anything may stand, or carry what is before it. */
  private static final Set<String> ASK_FOR_ANYTHING =
      Set.of("kling-v3", "minimax-v1", "vertex-veo");

  static List<String> shippedWithStatus() {
    List<String> names = new ArrayList<>(Catalogue.shippedNames());
    names.removeIf(name -> Adapters.descriptor(name, "", "").status().isEmpty());
    return names;
  }

  @ParameterizedTest
  @MethodSource("shippedWithStatus")
  void idWithADotSegment_isUnknownAndKept_orCanBeAskedFor(String name) throws IOException {
    Descriptor descriptor = Adapters.descriptor(name, "", "");
    JsonNode example = accepted(descriptor);
    String id = example.get("verdict").textValue().substring("accepted ".length());
    String tail = id.substring(id.lastIndexOf('/') + 1);
    for (String bad : List.of(".", "..", "../x", "a/../b")) {
      JsonNode body = replaced(example.get("answer").get("body"), tail, bad);
      int status = example.get("answer").get("status").intValue();
      try (RawServer server =
              new RawServer(
                  (_, s) -> RawServer.write(s, RawServer.answer(status, body.toString())));
          ProviderAdapter adapter = open(descriptor, server.base(""))) {
        SubmitResult result = adapter.submit(submission(example.get("params")));

        assertThat(server.posts()).isEqualTo(1);
        if (ASK_FOR_ANYTHING.contains(name)) {
          String remoteId = ((Verdict.Accepted) result.verdict()).remoteId();
          adapter.status(remoteId);
          assertThat(server.requests()).as("the status call is made").hasSize(2);
          assertThat(server.requests().get(1).line()).doesNotContain("/.");
        } else {
          assertThat(result.verdict()).as(bad).isInstanceOf(Verdict.Unknown.class);
          assertThat(result.raw().seenRemoteId().orElseThrow()).endsWith(bad);
          assertThat(result.verdict().toString()).contains("cannot be asked for");
        }
      }
    }
  }

  /** A listed task that cannot be asked about is none that could be taken, and not none. */
  @Test
  void listedTaskWithSuchAnId_leavesTheListUnread() throws IOException {
    String task = "{\"id\":\"..\",\"created_at\":\"2026-01-02T03:04:05Z\",\"input\":{}}";
    try (RawServer server =
            new RawServer(
                (_, s) -> RawServer.write(s, RawServer.answer(200, "{\"tasks\":[" + task + "]}")));
        ProviderAdapter adapter = Made.BY_DESCRIPTOR.open(server.base(""), Recourse.LIST_BY_TIME)) {
      Instant at = Instant.parse("2026-01-02T03:04:05Z");
      assertThat(adapter.list(at, at)).isEqualTo(new LookupResult.Candidates(List.of(), false));
    }
  }

  @Nested
  @ParameterizedClass
  @EnumSource(Made.class)
  class EitherWay {
    @Parameter Made made = Made.BY_DESCRIPTOR;

    @ParameterizedTest
    @ValueSource(ints = {202, 422})
    void taskApi_isUnknownAndKept(int status) throws IOException {
      String answer = "{\"id\":\"..\",\"error\":{\"code\":\"invalid\"}}";
      String body = status == 202 ? "{\"id\":\"..\"}" : answer;
      try (RawServer server =
              new RawServer((_, s) -> RawServer.write(s, RawServer.answer(status, body)));
          ProviderAdapter adapter = made.open(server.base(""), Recourse.NONE)) {
        SubmitResult result = adapter.submit(Adapters.submission(Adapters.PLENTY));
        assertThat(result.verdict()).isInstanceOf(Verdict.Unknown.class);
        assertThat(result.raw().seenRemoteId()).contains("..");
      }
    }
  }

  private static JsonNode accepted(Descriptor descriptor) {
    for (JsonNode example : descriptor.examples().path("create")) {
      if (example.has("params") && example.path("verdict").asText().startsWith("accepted ")) {
        return example;
      }
    }
    throw new AssertionError("each descriptor shows an accepted create");
  }

  /** With another last segment in each text that is the id, or ends with it. */
  private static JsonNode replaced(JsonNode node, String tail, String by) {
    if (node.isTextual()) {
      String text = node.textValue();
      boolean is = text.equals(tail) || text.endsWith("/" + tail);
      return is ? TextNode.valueOf(text.substring(0, text.length() - tail.length()) + by) : node;
    }
    if (node instanceof ObjectNode object) {
      ObjectNode copy = object.objectNode();
      object.properties().forEach(f -> copy.set(f.getKey(), replaced(f.getValue(), tail, by)));
      return copy;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode copy = array.arrayNode();
      array.forEach(element -> copy.add(replaced(element, tail, by)));
      return copy;
    }
    return node;
  }

  private static Submission submission(JsonNode params) {
    long by = System.nanoTime() + Adapters.PLENTY.toNanos();
    return new Submission(
        "video:0",
        params.toString().getBytes(StandardCharsets.UTF_8),
        Adapters.SUBMISSION_KEY,
        by,
        by);
  }

  private static ProviderAdapter open(Descriptor descriptor, URI base) {
    Map<String, String> settings = new HashMap<>();
    descriptor
        .settings()
        .forEach((name, rule) -> rule.otherwise().ifPresent(value -> settings.put(name, value)));
    descriptor
        .examples()
        .path("settings")
        .properties()
        .forEach(field -> settings.put(field.getKey(), field.getValue().asText()));
    Map<String, String> secrets = new HashMap<>();
    descriptor.secrets().forEach(name -> secrets.put(name, "env:KEY"));
    Optional<RequestSigner> unsigned =
        descriptor.auth() instanceof Auth.Signer ? Optional.of(_ -> Map.of()) : Optional.empty();
    return DescribedAdapter.open(
        descriptor,
        new DescribedConfig(
            Adapters.profile(Recourse.NONE, 4),
            base,
            DescribedConfig.settings(settings),
            Credentials.open("sandbox", secrets, _ -> Adapters.API_KEY, System::nanoTime),
            Optional.empty(),
            List.of(),
            Adapters.NOWHERE,
            OptionalInt.empty()),
        unsigned,
        Adapters.usual(4),
        DescribedAdapter.Patience.USUAL,
        System::nanoTime,
        Adapters.DEADLINES);
  }
}
