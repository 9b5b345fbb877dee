package dev.tollgate.schema.event;

import static dev.tollgate.schema.event.Samples.B0;
import static dev.tollgate.schema.event.Samples.K0;
import static dev.tollgate.schema.event.Samples.KEY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.Params;
import dev.tollgate.schema.key.RequestHash;
import java.time.Instant;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestDecoderTest {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final String OTHER_TRACE =
      "00-11111111111111111111111111111111-2222222222222222-00";

  @Test
  void plainJson_isARequest() {
    GenerationRequest request = accepted(Samples.decode(B0));
    assertThat(request.key()).isEqualTo(KEY);
    assertThat(request.dimensions())
        .isEqualTo(
            """
            {"aspect_ratio":"16:9","generation":1,"kind":"video","locale":"en-US",\
            "product":"p-100","prompt_version":"7","source_fingerprint":"sha256:aa00",\
            "template_version":"3","variant":"a"}""");
    assertThat(request.provider()).isEqualTo("keyed");
    assertThat(request.params().text())
        .isEqualTo("{\"duration_s\":5,\"prompt\":\"a red kite\",\"seed\":7}");
    assertThat(request.requestHash()).isEqualTo(RequestHash.of("keyed", request.params()));
    assertThat(request.deadline()).isNull();
    assertThat(request.productionTask()).isNull();
    assertThat(request.generation()).isEqualTo(1);
    assertThat(request.retry()).isNull();
    assertThat(request.eventId()).isEqualTo(K0);
    assertThat(request.producer()).isNull();
    assertThat(request.eventTime()).isNull();
    assertThat(request.traceparent()).isNull();
  }

  @Test
  void optionalMembers_areRead() {
    String body =
        Samples.with(
            "\"version\":1,\"deadline\":\"2030-01-31T12:00:00.25+01:00\",\"production_task\":\"t\"");
    GenerationRequest request = accepted(Samples.decode(body));
    assertThat(request.key()).isEqualTo(KEY);
    assertThat(request.deadline()).isEqualTo(Instant.parse("2030-01-31T11:00:00.250Z"));
    assertThat(request.productionTask()).isEqualTo("t");
  }

  @Test
  void nullMembers_areAbsentOnes() {
    String body =
        Samples.with(
            "\"version\":null,\"deadline\":null,\"production_task\":null,\"dimensions\":null");
    assertThat(Samples.decode(body)).isEqualTo(Samples.decode(B0));
  }

  @Test
  void cloudEvent_givesIdAndTime() {
    GenerationRequest request = accepted(Samples.decode(Samples.cloudEvent()));
    assertThat(request.eventId()).isEqualTo("e-1");
    assertThat(request.producer()).isEqualTo("/shop");
    assertThat(request.eventTime()).isEqualTo(Instant.parse("2030-01-31T11:00:00Z"));
  }

  @Test
  void cloudEvent_timeAndExtensions_areOptional() {
    assertThat(accepted(Samples.decode(Samples.cloudEventWithout("ce_time"))).eventTime()).isNull();
    accepted(Samples.decode(Samples.cloudEventWith("ce_subject", "anything")));
    accepted(Samples.decode(Samples.cloudEventWith("ce_partitionkey", K0)));
  }

  @Test
  void otherHeaders_areLeftAlone() {
    Headers headers = Samples.headers("x-team", "films", "x-team", "again", "Host", "\u0007");
    headers.add("nothing", null);
    accepted(Samples.decode(headers));
  }

  @Test
  void traceparent_ofTheLastHopWins() {
    Headers headers = Samples.cloudEventWith("ce_traceparent", OTHER_TRACE);
    assertThat(accepted(Samples.decode(headers)).traceparent()).isEqualTo(OTHER_TRACE);
    headers.add("traceparent", TRACE.getBytes(UTF_8));
    assertThat(accepted(Samples.decode(headers)).traceparent()).isEqualTo(TRACE);
  }

  @Test
  void traceparent_thatIsMalformed_isIgnored() {
    assertThat(accepted(Samples.decode(Samples.headers("traceparent", "x\r\ny"))).traceparent())
        .isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"specversion", "type", "source", "id"})
  void cloudEvent_withoutARequiredAttribute_isRefused(String attribute) {
    assertRefused(
        Samples.decode(Samples.cloudEventWithout("ce_" + attribute)),
        Code.INVALID_EVENT,
        "ce_" + attribute);
  }

  @ParameterizedTest
  @CsvSource({
    "ce_specversion, 0.3, UNSUPPORTED_VERSION",
    "ce_specversion, '', UNSUPPORTED_VERSION",
    "ce_type, dev.tollgate.generation.request.v2, UNSUPPORTED_VERSION",
    "ce_type, dev.tollgate.generation.request.v0, UNSUPPORTED_VERSION",
    "ce_type, dev.tollgate.generation.request, INVALID_EVENT",
    "ce_type, dev.tollgate.generation.complete.v1, INVALID_EVENT",
    "ce_type, DEV.tollgate.generation.request.v1, INVALID_EVENT",
    "ce_type, com.example.other.v2, INVALID_EVENT",
    "ce_source, '', INVALID_EVENT",
    "ce_id, '', INVALID_EVENT",
    "ce_time, yesterday, INVALID_EVENT",
    "ce_time, 2030-02-30T00:00:00Z, INVALID_EVENT",
    "ce_partitionkey, another, INVALID_EVENT",
    "ce_datacontenttype, application/json, INVALID_EVENT",
    "content-type, application/cloudevents+json, INVALID_EVENT",
    "content-type, application/avro, INVALID_EVENT",
    "content-type, '', INVALID_EVENT",
    "CE_Type, dev.tollgate.generation.request.v1, INVALID_EVENT",
    "Content-Type, application/json, INVALID_EVENT",
  })
  void cloudEvent_withContradictingHeader_isRefused(String name, String value, Code code) {
    assertRefused(Samples.decode(Samples.cloudEventWith(name, value)), code, name);
  }

  @Test
  void cloudEvent_withoutContentType_isRefused() {
    assertRefused(
        Samples.decode(Samples.cloudEventWithout("content-type")),
        Code.INVALID_EVENT,
        "content-type");
  }

  @Test
  void cloudEvent_withAHeaderTwice_isRefused() {
    Headers headers = Samples.cloudEvent().add("ce_id", "e-1".getBytes(UTF_8));
    assertRefused(Samples.decode(headers), Code.INVALID_EVENT, "ce_id occurs twice");
  }

  @Test
  void cloudEvent_withAHeaderWithoutValue_isRefused() {
    Headers headers = Samples.cloudEventWithout("ce_id").add("ce_id", null);
    assertRefused(Samples.decode(headers), Code.INVALID_EVENT, "ce_id");
  }

  @Test
  void plainJson_withAnotherContentType_isRefused() {
    accepted(Samples.decode(Samples.headers("content-type", "application/json")));
    assertRefused(
        Samples.decode(Samples.headers("content-type", "text/plain")),
        Code.INVALID_EVENT,
        "content-type");
  }

  @Test
  void laterVersion_isNotJudgedByItsFields() {
    assertRefused(
        Samples.decode(Samples.with("\"version\":2,\"callback_url\":\"https://a.test/\"")),
        Code.UNSUPPORTED_VERSION,
        "version 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"callback_url\":\"https://a.test/\" | callback_url",
        "\"webhook\":\"https://a.test/\" | webhook",
        "\"__proto__\":{} | __proto__",
        "\"@type\":\"java.net.URL\" | @type",
        "\"class\":\"java.net.URL\" | class",
        "\"Provider\":\"keyed\" | it is written provider",
        "\"PROVIDER\":\"keyed\" | it is written provider",
        "\"VARIANT\":\"a\" | it is written variant",
        "\"provider\":\"keyed\" | provider\" occurs twice",
        "\"pro\\u0076ider\":\"keyed\" | provider\" occurs twice",
        "\"dimensions\":{\"Season\":\"x\"} | dimensions.Season",
        "\"dimensions\":{\"season\":1} | dimensions.season",
        "\"deadline\":1900000000 | deadline",
        "\"deadline\":\"tomorrow\" | deadline",
        "\"production_task\":\"\" | production_task",
        "\"version\":\"1\" | version",
      })
  void closedSchema_namesTheField(String member, String named) {
    assertRefused(Samples.decode(Samples.with(member)), Code.INVALID_EVENT, named);
  }

  @Test
  void recordKey_ofAnotherOperation_isRefused() {
    Decoded decoded = Samples.decode(Samples.replacing("\"generation\":1", "\"generation\":2"));
    assertRefused(decoded, Code.INVALID_EVENT, "the record's key");
  }

  @Test
  void refusal_isOneShortPrintableLine() {
    String name = "a\r\nb\u001b[31m".repeat(20);
    Decoded decoded =
        Samples.decode(
            Samples.with(
                "\"" + name.replace("\r\n", "\\r\\n").replace("\u001b", "\\u001b") + "\":1"));
    assertThat(decoded).isInstanceOf(Refused.class);
    assertThat(((Refused) decoded).message()).matches("[ -~]{1,300}");
  }

  @Test
  void fc90_paramsThatDiffer_keepTheKeyAndChangeTheHash() {
    String params = "\"seed\":7";
    GenerationRequest plain = accepted(Samples.decode(B0));
    for (String more : new String[] {"\"tools\":[]", "\"stop\":[\"x\"]", "\"new_thing\":true"}) {
      GenerationRequest other =
          accepted(Samples.decode(Samples.replacing(params, params + "," + more)));
      assertThat(other.key()).isEqualTo(plain.key());
      assertThat(other.requestHash()).as(more).isNotEqualTo(plain.requestHash());
    }
  }

  @Test
  void fc53_seedThatDiffers_keepsTheKeyAndChangesTheHash() {
    GenerationRequest other =
        accepted(Samples.decode(Samples.replacing("\"seed\":7", "\"seed\":8")));
    assertThat(other.key()).isEqualTo(KEY);
    assertThat(other.requestHash()).isNotEqualTo(accepted(Samples.decode(B0)).requestHash());
  }

  @Test
  void fc83_orderOfMembers_changesNothing() {
    String swapped =
        Samples.replacing("\"seed\":7,\"duration_s\":5", "\"duration_s\":5,\"seed\":7");
    assertThat(Samples.decode(swapped)).isEqualTo(Samples.decode(B0));
  }

  @Test
  void fc84_numbersThatAreOne_areOneRequest() {
    assertThat(Samples.decode(Samples.replacing("\"seed\":7", "\"seed\":7.0")))
        .isEqualTo(Samples.decode(B0));
    for (String bad : new String[] {"1e400", "NaN", "9007199254740993"}) {
      Decoded decoded = Samples.decode(Samples.replacing("\"seed\":7", "\"seed\":" + bad));
      assertThat(decoded).as(bad).isInstanceOf(Refused.class);
      assertThat(((Refused) decoded).code()).isEqualTo(Code.INVALID_EVENT);
    }
  }

  @Test
  void fc86_promptIsSentInNfcWithItsSpaces() {
    String body = Samples.replacing("a red kite", " cafe\u0301  kite\\n");
    assertThat(accepted(Samples.decode(body)).params())
        .isEqualTo(
            Params.parse("{\"prompt\":\" caf\u00e9  kite\\n\",\"seed\":7,\"duration_s\":5}"));
  }

  @Test
  void fc87_compatibilityForms_stayApart() {
    GenerationRequest roman =
        accepted(Samples.decode(Samples.replacing("a red kite", "part \u2160")));
    GenerationRequest letter = accepted(Samples.decode(Samples.replacing("a red kite", "part I")));
    assertThat(roman.requestHash()).isNotEqualTo(letter.requestHash());
  }

  @Test
  void fc91_ratioAndLocaleInOtherSpelling_areTheSameOperation() {
    String body = B0.replace("\"16:9\"", "\"32 : 18\"").replace("\"en-US\"", "\"EN_us\"");
    assertThat(Samples.decode(body)).isEqualTo(Samples.decode(B0));
    assertRefused(
        Samples.decode(Samples.replacing("16:9", "1.7778")), Code.INVALID_EVENT, "aspect_ratio");
  }

  private static GenerationRequest accepted(Decoded decoded) {
    return switch (decoded) {
      case Decoded.Request request -> request.request();
      case Refused refused -> throw new AssertionError(refused.toString());
    };
  }

  private static void assertRefused(Decoded decoded, Code code, String named) {
    assertThat(decoded).isInstanceOf(Refused.class);
    Refused refused = (Refused) decoded;
    assertThat(refused.code()).as(refused.message()).isEqualTo(code);
    assertThat(refused.message()).contains(named);
  }
}
