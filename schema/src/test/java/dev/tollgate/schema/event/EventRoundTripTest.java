package dev.tollgate.schema.event;

import static dev.tollgate.schema.event.Samples.KEY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.key.RequestHash;
import dev.tollgate.schema.key.Sha256;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EventRoundTripTest {
  private static final Instant NOW = Instant.parse("2030-01-31T12:00:00.123456Z");
  private static final RequestHash HASH = new RequestHash(Sha256.of(new byte[2]));

  @ParameterizedTest
  @EnumSource
  void result_ofEachState(ResultEvent.State state) {
    ResultEvent event = result(state, "r\u00e9-cafe\u0301\n", Code.FOUND);
    EventMessage message = event.toMessage();
    assertThat(message.key()).isEqualTo(KEY.toString());
    assertThat(message.headers())
        .containsEntry("ce_type", "dev.tollgate.generation." + state.wireName() + ".v1")
        .containsEntry("ce_id", KEY + "/5")
        .containsEntry("ce_time", "2030-01-31T12:00:00.123456Z");
    assertThat(decodeResult(message)).isEqualTo(new DecodedResult.Result(event));
  }

  @Test
  void result_withoutOptionalParts() {
    ResultEvent event = result(ResultEvent.State.UNKNOWN, null, null);
    assertThat(event.toMessage().value()).doesNotContain("remote_id", "code", "output", "null");
    assertThat(decodeResult(event.toMessage())).isEqualTo(new DecodedResult.Result(event));
  }

  @Test
  void result_ofAnEnd_withEveryPart() {
    ResultEvent.Details details =
        ResultEvent.Details.ended(
            HASH, "campaign/17", new ResultEvent.Price(Money.of("0.35"), "USD"), "why \u20ac");
    ResultEvent.Output output =
        new ResultEvent.Output("s3://outputs/1", Sha256.of(new byte[1]), 1, "video/mp4");
    ResultEvent event =
        new ResultEvent(
            KEY,
            ResultEvent.State.COMPLETE,
            5,
            "keyed",
            "r",
            output,
            Code.OUTPUT_STORED,
            NOW,
            3,
            details);
    EventMessage message = event.toMessage();
    assertThat(message.value())
        .contains(
            "\"price\":{\"amount\":\"0.35\",\"currency\":\"USD\"}",
            "\"content_type\":\"video/mp4\"",
            "\"production_task\":\"campaign/17\"",
            "\"request_hash\":\"" + HASH + "\"");
    assertThat(decodeResult(message)).isEqualTo(new DecodedResult.Result(event));
    for (String change :
        List.of("\"0.35\" -> 0.35", "\"0.35\" -> \"-1\"", "\"USD\" -> null", HASH + " -> 12")) {
      String[] parts = change.split(" -> ", 2);
      String value = message.value().replace(parts[0], parts[1]);
      assertThat(value).isNotEqualTo(message.value());
      assertThat(decodeResult(new EventMessage(message.key(), value, message.headers())))
          .as(change)
          .isInstanceOf(Refused.class);
    }
  }

  @Test
  void result_ofAStream_tellsItsAddress() {
    URI address = URI.create("https://streams.example.com/operations/" + KEY + "/stream/00ff");
    ResultEvent event =
        new ResultEvent(
            KEY,
            ResultEvent.State.ACCEPTED,
            2,
            "writer",
            "r",
            null,
            null,
            NOW,
            1,
            ResultEvent.Details.readAt(address));
    EventMessage message = event.toMessage();
    assertThat(message.value()).contains("\"stream\":\"" + address + "\"");
    assertThat(decodeResult(message)).isEqualTo(new DecodedResult.Result(event));
    String value = message.value().replace("/stream/", "/str eam/");
    assertThat(decodeResult(new EventMessage(message.key(), value, message.headers())))
        .isInstanceOf(Refused.class);
  }

  @Test
  void result_ofALaterBuild_isReadWithoutWhatIsNew() {
    EventMessage message = result(ResultEvent.State.FAILED, "r", Code.FOUND).toMessage();
    String value =
        message.value().replace("\"FOUND\"", "\"NEW_REASON\"").replace("{", "{\"new\":[1],");
    EventMessage later = new EventMessage(message.key(), value, message.headers());
    assertThat(decodeResult(later))
        .isEqualTo(new DecodedResult.Result(result(ResultEvent.State.FAILED, "r", null)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"state\":\"failed\" -> \"state\":\"done\"",
        "\"state\":\"failed\" -> \"state\":\"complete\"",
        "\"state\":\"failed\" -> \"state\":\"accepted\"",
        "\"version\":5 -> \"version\":6",
        "\"version\":5 -> \"version\":-5",
        "\"version\":5 -> \"version\":5.5",
        "\"fence\":3 -> \"fence\":\"3\"",
        "\"key\":\"video -> \"key\":\"image",
        "2030-01-31 -> 2030-02-31",
        "\"provider\":\"keyed\" -> \"provider\":\"Keyed\"",
      })
  void result_thatContradictsItself_isRefused(String change) {
    String[] parts = change.split(" -> ", 2);
    EventMessage message = result(ResultEvent.State.FAILED, "r", null).toMessage();
    String value = message.value().replace(parts[0], parts[1]);
    assertThat(value).isNotEqualTo(message.value());
    assertThat(decodeResult(new EventMessage(message.key(), value, message.headers())))
        .isInstanceOf(Refused.class);
  }

  @Test
  void result_outputBelongsToCompleteOnly() {
    assertThatThrownBy(
            () ->
                new ResultEvent(
                    KEY,
                    ResultEvent.State.COMPLETE,
                    1,
                    "p",
                    null,
                    null,
                    null,
                    NOW,
                    1,
                    ResultEvent.Details.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void reconcile_roundTrip() {
    ReconcileEvent event = new ReconcileEvent(KEY, 7, Code.LEASE_LOST);
    EventMessage message = event.toMessage();
    assertThat(message.headers())
        .containsEntry("ce_type", "dev.tollgate.generation.reconcile.v1")
        .containsEntry("ce_id", KEY + "/7/LEASE_LOST");
    assertThat(decodeReconcile(message)).isEqualTo(new DecodedReconcile.Reconcile(event));
  }

  @Test
  void reconcile_withAnUnknownFieldOrCode_isRefused() {
    EventMessage message = new ReconcileEvent(KEY, 7, Code.LEASE_LOST).toMessage();
    for (String value :
        new String[] {
          message.value().replace("{", "{\"more\":1,"),
          message.value().replace("LEASE_LOST", "NO_SUCH_CODE"),
          message.value().replace(":7", ":8"),
        }) {
      assertThat(decodeReconcile(new EventMessage(message.key(), value, message.headers())))
          .as(value)
          .isInstanceOf(Refused.class);
    }
  }

  @Test
  void events_needTheirHeaders() {
    EventMessage result = result(ResultEvent.State.FAILED, "r", null).toMessage();
    EventMessage reconcile = new ReconcileEvent(KEY, 7, Code.LEASE_LOST).toMessage();
    Headers none = Samples.noHeaders();
    assertThat(ResultDecoder.decode(result.keyBytes(), result.valueBytes(), none))
        .isInstanceOf(Refused.class);
    assertThat(ReconcileDecoder.decode(reconcile.keyBytes(), reconcile.valueBytes(), none))
        .isInstanceOf(Refused.class);
    assertThat(
            ReconcileDecoder.decode(
                reconcile.keyBytes(), reconcile.valueBytes(), result.kafkaHeaders()))
        .isInstanceOf(Refused.class);
  }

  @Test
  void request_writtenFromALine_isAccepted() {
    String line = Samples.B0.replace("en-US", "en_us").replace("a red kite", "cafe\u0301");
    RequestWriter.Ready ready = (RequestWriter.Ready) RequestWriter.fromJsonLine(line);
    assertThat(ready.key()).isEqualTo(KEY);
    assertThat(ready).isEqualTo(RequestWriter.fromJsonLine(" " + line + "\n"));
    ProducerRecord<byte[], byte[]> record = ready.message().toRecord("generation.requests");
    assertThat(new String(record.key(), UTF_8)).isEqualTo(Samples.K0);
    Decoded decoded = RequestDecoder.decode(record.key(), record.value(), record.headers());
    assertThat(decoded).isInstanceOf(Decoded.Request.class);
    GenerationRequest request = ((Decoded.Request) decoded).request();
    assertThat(request.requestHash()).isEqualTo(ready.requestHash());
    assertThat(request.dimensions()).isEqualTo(ready.dimensions());
    assertThat(request.eventId()).isEqualTo(KEY + "/" + ready.requestHash());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "[]", "{}", "{\"kind\":\"video\",\"product\":\"p\"}"})
  void request_fromAnotherLine_isRefused(String line) {
    assertThat(RequestWriter.fromJsonLine(line)).isInstanceOf(Refused.class);
  }

  @Test
  void request_whoseBytesAreTooMany_isRefused() {
    String text = "\"" + "\u20ac".repeat(200_000) + "\"";
    String line = Samples.replacing("\"a red kite\"", text + ",\"more\":" + text);
    assertThat(RequestWriter.fromJsonLine(line)).isInstanceOf(Refused.class);
  }

  @Test
  void topics_haveOnePrefix() {
    assertThat(new Topics("films").all())
        .containsExactly(
            "films.requests",
            "films.reconcile",
            "films.events",
            "films.chunks",
            "films.requests.dlt",
            "films.reconcile.dlt");
    assertThatThrownBy(() -> new Topics("a b")).isInstanceOf(IllegalArgumentException.class);
  }

  private static ResultEvent result(
      ResultEvent.State state, @Nullable String remoteId, @Nullable Code code) {
    ResultEvent.Output output =
        state == ResultEvent.State.COMPLETE
            ? new ResultEvent.Output("s3://outputs/1", Sha256.of(new byte[0]), 0, null)
            : null;
    return new ResultEvent(
        KEY, state, 5, "keyed", remoteId, output, code, NOW, 3, ResultEvent.Details.NONE);
  }

  private static DecodedResult decodeResult(EventMessage message) {
    return ResultDecoder.decode(message.keyBytes(), message.valueBytes(), message.kafkaHeaders());
  }

  private static DecodedReconcile decodeReconcile(EventMessage message) {
    return ReconcileDecoder.decode(
        message.keyBytes(), message.valueBytes(), message.kafkaHeaders());
  }
}
