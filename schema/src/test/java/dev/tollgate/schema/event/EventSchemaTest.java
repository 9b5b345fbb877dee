package dev.tollgate.schema.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.key.RequestHash;
import dev.tollgate.schema.key.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Holds the published schemas and the decoders to the same verdict. */
final class EventSchemaTest {
  private static final String PATH = "/dev/tollgate/schema/events/";
  private static final Schema REQUEST = schema("request.v1.json");
  private static final Schema RESULT = schema("result.v1.json");
  private static final Schema RECONCILE = schema("reconcile.v1.json");

  static Stream<String> goodRequests() {
    return Stream.of(
        Samples.B0,
        Samples.with("\"version\":1"),
        Samples.with("\"version\":null"),
        Samples.with("\"deadline\":\"2030-01-31T12:00:00Z\""),
        Samples.with("\"deadline\":\"2030-01-31T12:00:00.123456789-05:30\""),
        Samples.with("\"production_task\":\"campaign/17\""),
        Samples.with("\"dimensions\":null"),
        Samples.with("\"dimensions\":{}"),
        Samples.with("\"dimensions\":{\"season\":\"winter\",\"voice\":null}"),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":null"),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":\" a  b\\t\""),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":\"cafe\u0301 \uD83D\uDE00\""),
        Samples.replacing("\"kind\":\"video\"", "\"kind\":\" video \""),
        Samples.replacing("\"generation\":1", "\"generation\":2.0"),
        Samples.replacing("\"generation\":1", "\"generation\":null"),
        Samples.replacing("en-US", "en"),
        Samples.replacing("en-US", " zh_Hant_TW "),
        Samples.replacing("en-US", "sl-rozaj-biske-1994"),
        Samples.replacing("en-US", "en-a-bb-x-cc-d"),
        Samples.replacing("16:9", " 32 : 18 "),
        Samples.replacing("\"seed\":7", "\"Seed\":7,\"__proto__\":{\"callback_url\":\"x\"}"),
        Samples.with("\"retry_of\":null,\"retry_by\":null,\"retry_why\":null"),
        Samples.second("\"retry_of\":\"" + Samples.K0 + "\""),
        Samples.second(
            "\"retry_of\":\"%s\",\"retry_by\":\"anna\",\"retry_why\":\"%s\""
                .formatted(Samples.K0, "x".repeat(Retry.WHY_CHARS_MAX))),
        "{\"kind\":\"text\",\"variant\":\"a\",\"provider\":\"p-1\",\"params\":{}}",
        "{\"kind\":\"text\",\"dimensions\":{\"a\":\"b\"},\"provider\":\"p\",\"params\":{}}");
  }

  static Stream<String> badRequests() {
    return Stream.of(badDimensions(), badMembers(), badRetries()).flatMap(each -> each);
  }

  private static Stream<String> badRetries() {
    String of = "\"retry_of\":\"" + Samples.K0 + "\"";
    return Stream.of(
        Samples.with(of),
        Samples.with("\"retry_by\":\"anna\""),
        Samples.with("\"retry_of\":null,\"retry_why\":\"blurred\""),
        Samples.replacing("\"generation\":1,", of + ","),
        Samples.replacing("\"generation\":1", "\"generation\":null," + of),
        Samples.second("\"retry_of\":7"),
        Samples.second("\"retry_of\":\"\""),
        Samples.second(
            "\"retry_of\":\"" + Samples.K0.substring(1 + Samples.K0.indexOf(':')) + "\""),
        Samples.second(of + ",\"retry_by\":\"\""),
        Samples.second(of + ",\"retry_by\":\"" + "x".repeat(256) + "\""),
        Samples.second(of + ",\"retry_why\":\"a\\nb\""),
        Samples.second(of + ",\"retry_why\":\"" + "x".repeat(501) + "\""),
        Samples.second(of + ",\"retry_why\":[]"));
  }

  private static Stream<String> badDimensions() {
    return Stream.of(
        Samples.replacing("\"kind\":\"video\"", "\"kind\":null"),
        Samples.replacing("\"kind\":\"video\",", ""),
        Samples.replacing("\"video\"", "\"Video\""),
        Samples.replacing("\"video\"", "7"),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":\"\""),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":\" \\t \""),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":\"a\\nb\""),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":\"a\u00a0\""),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":\"\u3000a\""),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":\"" + "x".repeat(1025) + "\""),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":1"),
        Samples.replacing("\"variant\":\"a\"", "\"variant\":[\"a\"]"),
        Samples.replacing("\"generation\":1", "\"generation\":0"),
        Samples.replacing("\"generation\":1", "\"generation\":1.5"),
        Samples.replacing("\"generation\":1", "\"generation\":\"1\""),
        Samples.replacing("\"generation\":1", "\"generation\":2147483648"),
        Samples.replacing("en-US", "english"),
        Samples.replacing("en-US", "en--US"),
        Samples.replacing("en-US", "en_US.UTF-8"),
        Samples.replacing("16:9", "1280x720"),
        Samples.replacing("16:9", "1.7778"),
        Samples.replacing("16:9", "0:1"),
        Samples.replacing("16:9", "16:9:1"),
        Samples.with("\"dimensions\":[]"),
        Samples.with("\"dimensions\":{\"season\":1}"),
        Samples.with("\"dimensions\":{\"season\":\"\"}"),
        Samples.with("\"dimensions\":{\"Season\":\"x\"}"),
        Samples.with("\"dimensions\":{\"variant\":\"x\"}"),
        "{\"kind\":\"text\",\"provider\":\"p\",\"params\":{}}",
        "{\"kind\":\"text\",\"variant\":null,\"provider\":\"p\",\"params\":{}}",
        "{\"kind\":\"text\",\"dimensions\":{\"a\":null},\"provider\":\"p\",\"params\":{}}");
  }

  private static Stream<String> badMembers() {
    return Stream.of(
        "[]",
        "7",
        "{}",
        Samples.with("\"version\":2"),
        Samples.with("\"version\":\"1\""),
        Samples.with("\"callback_url\":\"https://a.test/\""),
        Samples.with("\"Provider\":\"keyed\""),
        Samples.with("\"__proto__\":{}"),
        Samples.with("\"@type\":\"x\""),
        Samples.with("\"deadline\":\"2030-01-31\""),
        Samples.with("\"deadline\":\"2030-01-31T12:00:00\""),
        Samples.with("\"deadline\":\"2030-01-31 12:00:00Z\""),
        Samples.with("\"deadline\":\"2030-02-30T12:00:00Z\""),
        Samples.with("\"deadline\":1"),
        Samples.with("\"production_task\":\"\""),
        Samples.with("\"production_task\":\"a\\u0000\""),
        Samples.with("\"production_task\":\"" + "x".repeat(256) + "\""),
        Samples.with("\"production_task\":{}"),
        Samples.replacing("\"keyed\"", "\"Keyed\""),
        Samples.replacing("\"keyed\"", "\"\""),
        Samples.replacing("\"keyed\"", "\"" + "x".repeat(33) + "\""),
        Samples.replacing("\"provider\":\"keyed\",", ""),
        Samples.replacing("\"keyed\"", "null"),
        Samples.replacing("{\"prompt\":\"a red kite\",\"seed\":7,\"duration_s\":5}", "null"),
        Samples.replacing("{\"prompt\":\"a red kite\",\"seed\":7,\"duration_s\":5}", "[]"),
        Samples.replacing("{\"prompt\":\"a red kite\",\"seed\":7,\"duration_s\":5}", "\"x\""));
  }

  @ParameterizedTest
  @MethodSource("goodRequests")
  void goodRequest_passesBoth(String body) {
    assertThat(violations(REQUEST, body)).isEmpty();
    assertThat(RequestWriter.fromJsonLine(body)).isInstanceOf(RequestWriter.Ready.class);
  }

  @ParameterizedTest
  @MethodSource("badRequests")
  void badRequest_passesNeither(String body) {
    assertThat(violations(REQUEST, body)).as(body).isNotEmpty();
    assertThat(RequestWriter.fromJsonLine(body)).isInstanceOf(Refused.class);
    assertThat(Samples.decode(body)).isInstanceOf(Refused.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"request.v1.json", "result.v1.json", "reconcile.v1.json", "chunk.v1.json"})
  void examples_fitTheirSchema(String file) throws IOException {
    JsonNode examples = JsonMapper.shared().readTree(read(file)).get("examples");
    assertThat(examples).isNotEmpty();
    for (JsonNode example : examples) {
      assertThat(violations(schema(file), example.toString())).isEmpty();
    }
  }

  @Test
  void requestExamples_areAcceptedByTheDecoder() throws IOException {
    for (JsonNode example : JsonMapper.shared().readTree(read("request.v1.json")).get("examples")) {
      assertThat(RequestWriter.fromJsonLine(example.toString()))
          .isInstanceOf(RequestWriter.Ready.class);
    }
  }

  @Test
  void resultExamples_areAcceptedByTheDecoder() throws IOException {
    for (JsonNode example : JsonMapper.shared().readTree(read("result.v1.json")).get("examples")) {
      String key = example.get("key").asString();
      String type = "dev.tollgate.generation." + example.get("state").asString() + ".v1";
      String id = key + "/" + example.get("version").asInt();
      assertThat(
              ResultDecoder.decode(
                  key.getBytes(UTF_8),
                  example.toString().getBytes(UTF_8),
                  Samples.headers(
                      "ce_specversion", "1.0",
                      "ce_type", type,
                      "ce_source", "/tollgate",
                      "ce_id", id,
                      "content-type", "application/json")))
          .isInstanceOf(DecodedResult.Result.class);
    }
  }

  @Test
  void resultSchema_tiesTheOutputToComplete() {
    String complete = "\"state\":\"complete\"";
    String failed = "\"state\":\"failed\"";
    String body =
        """
        {"key":"%s","state":"complete","version":1,"provider":"p","fence":1,\
        "occurred_at":"2030-01-31T12:00:00Z"}"""
            .formatted(Samples.K0);
    String output =
        "\"output\":{\"address\":\"a\",\"length\":1,\"digest\":\"sha256:%s\"},"
            .formatted("0".repeat(64));
    assertThat(violations(RESULT, body)).isNotEmpty();
    assertThat(violations(RESULT, body.replace("{", "{" + output))).isEmpty();
    assertThat(violations(RESULT, body.replace(complete, failed))).isEmpty();
    assertThat(violations(RESULT, body.replace(complete, failed).replace("{", "{" + output)))
        .isNotEmpty();
  }

  @Test
  void ownResults_fitTheirSchema() {
    for (ResultEvent.State state : ResultEvent.State.values()) {
      boolean complete = state == ResultEvent.State.COMPLETE;
      ResultEvent result =
          new ResultEvent(
              Samples.KEY,
              state,
              3,
              "keyed",
              "job-1",
              complete
                  ? new ResultEvent.Output("s3://a/b", Sha256.of(new byte[1]), 1, "video/mp4")
                  : null,
              Code.OUTPUT_STORED,
              Instant.EPOCH.plusMillis(1),
              1,
              new ResultEvent.Details(
                  new RequestHash(Sha256.of(new byte[2])),
                  "task",
                  new ResultEvent.Price(Money.of("1234567.000001"), "EUR"),
                  "it said no",
                  URI.create("https://streams.example.com/operations/a:0/stream/0")));
      assertThat(violations(RESULT, result.toMessage().value())).isEmpty();
    }
  }

  @Test
  void ownEvents_fitTheirSchema() {
    ReconcileEvent reconcile = new ReconcileEvent(Samples.KEY, 1, Code.OUTCOME_UNKNOWN);
    assertThat(violations(RECONCILE, reconcile.toMessage().value())).isEmpty();
    assertThat(violations(REQUEST, Samples.B0)).isEmpty();
  }

  @Test
  void reconcileSchema_listsEveryCode() throws IOException {
    List<String> listed = new ArrayList<>();
    JsonNode reason =
        JsonMapper.shared().readTree(read("reconcile.v1.json")).at("/properties/reason/enum");
    reason.forEach(code -> listed.add(code.asString()));
    assertThat(listed)
        .containsExactlyElementsOf(Arrays.stream(Code.values()).map(Code::name).toList());
  }

  private static List<String> violations(Schema schema, String body) {
    return schema
        .validate(
            body,
            InputFormat.JSON,
            context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
        .stream()
        .map(Object::toString)
        .toList();
  }

  private static Schema schema(String file) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(read(file));
  }

  private static String read(String file) {
    try (InputStream in = EventSchemaTest.class.getResourceAsStream(PATH + file)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new AssertionError(file, e);
    }
  }
}
