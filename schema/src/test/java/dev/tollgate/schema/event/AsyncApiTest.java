package dev.tollgate.schema.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The AsyncAPI document describes the topics there are, and points at what exists. */
final class AsyncApiTest {
  private static final String FOLDER = "/dev/tollgate/schema/events/";

  private final JsonNode document = document();

  @Test
  void channels_areTheTopics() {
    List<String> addresses = new ArrayList<>();
    document.get("channels").forEach(channel -> addresses.add(channel.get("address").asString()));
    assertThat(addresses).containsExactlyInAnyOrderElementsOf(Topics.DEFAULT.all());
  }

  @Test
  void messages_haveTheTypesOfTheEvents() {
    List<String> names = new ArrayList<>();
    for (JsonNode message : document.at("/components/messages")) {
      if (message.has("name")) {
        names.add(message.get("name").asString());
      }
    }
    List<String> types =
        new ArrayList<>(
            List.of(CloudEvent.REQUEST_TYPE, CloudEvent.RECONCILE_TYPE, CloudEvent.CHUNK_TYPE));
    for (ResultEvent.State state : ResultEvent.State.values()) {
      types.add(CloudEvent.resultType(state));
    }
    assertThat(names).containsExactlyInAnyOrderElementsOf(types);
  }

  @Test
  void references_resolve() {
    List<String> references = new ArrayList<>();
    collect(document, references);
    assertThat(references).hasSizeGreaterThan(20);
    for (String reference : references) {
      if (reference.startsWith("#")) {
        assertThat(document.at(reference.substring(1)).isMissingNode()).as(reference).isFalse();
      } else {
        URL file = AsyncApiTest.class.getResource(FOLDER + reference.replaceFirst("^\\./", ""));
        assertThat(file).as(reference).isNotNull();
      }
    }
  }

  /** What a reader copies from the document has to be an event. */
  @Test
  void examplesOfResults_areAcceptedByTheDecoder() {
    List<String> read = new ArrayList<>();
    for (JsonNode message : document.at("/components/messages")) {
      for (JsonNode example : message.path("examples")) {
        Headers headers = new RecordHeaders();
        example
            .get("headers")
            .properties()
            .forEach(h -> headers.add(h.getKey(), h.getValue().asString().getBytes(UTF_8)));
        JsonNode payload = example.get("payload");
        assertThat(
                ResultDecoder.decode(
                    payload.get("key").asString().getBytes(UTF_8),
                    payload.toString().getBytes(UTF_8),
                    headers))
            .isInstanceOf(DecodedResult.Result.class);
        read.add(payload.get("state").asString());
      }
    }
    assertThat(read).containsExactly("complete", "failed");
  }

  private static void collect(JsonNode node, List<String> references) {
    JsonNode reference = node.get("$ref");
    if (reference != null) {
      references.add(reference.asString());
    }
    node.forEach(child -> collect(child, references));
  }

  private static JsonNode document() {
    try (InputStream in = AsyncApiTest.class.getResourceAsStream(FOLDER + "asyncapi.yaml")) {
      return new YAMLMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
