package dev.tollgate.schema.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.Dimensions;
import dev.tollgate.schema.key.OperationKey;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class NextGenerationTest {
  private static final Instant DEADLINE = Instant.parse("2030-01-31T11:00:00.250Z");

  private static GenerationRequest read(RequestWriter.Written written) {
    assertThat(written).isInstanceOf(RequestWriter.Ready.class);
    EventMessage message = ((RequestWriter.Ready) written).message();
    Decoded decoded =
        RequestDecoder.decode(message.keyBytes(), message.valueBytes(), message.kafkaHeaders());
    assertThat(decoded).isInstanceOf(Decoded.Request.class);
    return ((Decoded.Request) decoded).request();
  }

  private static GenerationRequest first(String body) {
    return read(RequestWriter.fromJsonLine(body, "/shop"));
  }

  /** As a store keeps it. */
  private static NextGeneration.Earlier stored(GenerationRequest request) {
    return new NextGeneration.Earlier(
        request.key(),
        request.dimensions(),
        request.provider(),
        request.params().bytes(),
        request.deadline(),
        request.productionTask(),
        request.producer());
  }

  private static String full() {
    return Samples.with(
        "\"dimensions\":{\"season\":\"winter\"},\"deadline\":\"%s\",\"production_task\":\"campaign/17\""
            .formatted(DEADLINE));
  }

  private static void assertNextOf(GenerationRequest earlier, GenerationRequest next) {
    assertThat(next.generation()).isEqualTo(earlier.generation() + 1);
    assertThat(next.dimensions())
        .isEqualTo(
            earlier
                .dimensions()
                .replace(
                    "\"generation\":" + earlier.generation(),
                    "\"generation\":" + next.generation()));
    assertThat(next.key()).isNotEqualTo(earlier.key());
    assertThat(next.provider()).isEqualTo(earlier.provider());
    assertThat(next.params()).isEqualTo(earlier.params());
    assertThat(next.requestHash()).isEqualTo(earlier.requestHash());
    assertThat(next.deadline()).isEqualTo(earlier.deadline());
    assertThat(next.productionTask()).isEqualTo(earlier.productionTask());
    assertThat(next.producer()).isEqualTo(earlier.producer());
    assertThat(of(next)).isEqualTo(earlier.key());
  }

  private static @Nullable OperationKey of(GenerationRequest request) {
    Retry retry = request.retry();
    return retry == null ? null : retry.of();
  }

  @Test
  void ofWhatIsStored_allButTheGenerationStays() {
    GenerationRequest first = first(full());
    GenerationRequest second = read(NextGeneration.of(stored(first), "anna", "the kite is blue"));
    assertNextOf(first, second);
    assertThat(second.retry()).isEqualTo(new Retry(first.key(), "anna", "the kite is blue"));
    GenerationRequest third = read(NextGeneration.of(stored(second), Retry.POLICY, null));
    assertNextOf(second, third);
    assertThat(Objects.requireNonNull(third.retry()).byPolicy()).isTrue();
  }

  @Test
  void ofAPlainRecord_isAPlainRecord_soThatNoBudgetIsAnothers() {
    GenerationRequest first = ((Decoded.Request) Samples.decode(Samples.B0)).request();
    RequestWriter.Written next = NextGeneration.of(stored(first), null, null);
    assertThat(((RequestWriter.Ready) next).message().headers()).isEmpty();
    assertNextOf(first, read(next));
  }

  @Test
  void askedTwice_byWhomever_isOneOperation() {
    NextGeneration.Earlier earlier = stored(first(full()));
    GenerationRequest one = read(NextGeneration.of(earlier, "anna", "why"));
    GenerationRequest two = read(NextGeneration.of(earlier, Retry.POLICY, null));
    GenerationRequest three = read(NextGeneration.ofJsonLine(full(), "/shop", null, "again"));
    assertThat(two.key()).isEqualTo(one.key()).isEqualTo(three.key());
    assertThat(two.requestHash()).isEqualTo(one.requestHash()).isEqualTo(three.requestHash());
  }

  @Test
  void ofALine_isTheGenerationAfterIt_alsoOfOneThatWasANextItself() {
    GenerationRequest first = first(full());
    RequestWriter.Ready second =
        (RequestWriter.Ready) NextGeneration.ofJsonLine(full(), "/shop", null, "too dark");
    assertThat(second.retryOf()).isEqualTo(first.key());
    assertNextOf(first, read(second));
    RequestWriter.Written third =
        NextGeneration.ofJsonLine(second.message().value(), "/shop", "anna", null);
    assertNextOf(read(second), read(third));
    assertThat(read(third).retry()).isEqualTo(new Retry(second.key(), "anna", null));
  }

  @Test
  void whatIsNoRequest_orNoReason_isRefused() {
    assertThat(NextGeneration.ofJsonLine("{}", "/shop", null, null)).isInstanceOf(Refused.class);
    assertThat(NextGeneration.ofJsonLine(Samples.B0, "", null, null)).isInstanceOf(Refused.class);
    assertThat(NextGeneration.ofJsonLine(Samples.B0, "/shop", null, "x".repeat(501)))
        .isInstanceOf(Refused.class);
    String last = Samples.replacing("\"generation\":1", "\"generation\":2147483647");
    assertThat(NextGeneration.ofJsonLine(last, "/shop", null, null))
        .isEqualTo(new Refused(Code.INVALID_EVENT, "no generation follows 2147483647"));
    NextGeneration.Earlier unreadable =
        new NextGeneration.Earlier(
            Samples.KEY, "{}", "keyed", "{}".getBytes(UTF_8), null, null, null);
    assertThat(NextGeneration.of(unreadable, null, null)).isInstanceOf(Refused.class);
  }

  @Test
  void retryOf_hasToBeTheGenerationBefore() {
    for (OperationKey other :
        new OperationKey[] {
          Samples.KEY, first(Samples.replacing("\"variant\":\"a\"", "\"variant\":\"b\"")).key(),
        }) {
      String third =
          Samples.replacing("\"generation\":1", "\"generation\":3,\"retry_of\":\"" + other + "\"");
      assertThat(RequestWriter.fromJsonLine(third))
          .isInstanceOfSatisfying(
              Refused.class,
              refused -> {
                assertThat(refused.code()).isEqualTo(Code.INVALID_EVENT);
                assertThat(refused.message()).contains("retry_of", "generation 2");
              });
    }
  }

  @Test
  void dimensions_areReadFromTheirCanonicalForm() {
    String body =
        "{\"kind\":\"speech\",\"product\":\"p\",\"dimensions\":{\"voice\":\"anna\",\"mood\":\"calm\"},"
            + "\"provider\":\"p\",\"params\":{}}";
    String canonical = first(body).dimensions();
    Dimensions dimensions = Dimensions.fromCanonicalJson(canonical);
    assertThat(dimensions.canonicalJson()).isEqualTo(canonical);
    assertThat(dimensions.extra()).containsOnlyKeys("voice", "mood");
    assertThat(dimensions.withGeneration(4).withGeneration(1)).isEqualTo(dimensions);
  }
}
