package dev.tollgate.cli.dlt;

import static dev.tollgate.cli.dlt.Letters.decoded;
import static dev.tollgate.cli.dlt.Letters.letter;
import static dev.tollgate.cli.dlt.Letters.request;
import static dev.tollgate.cli.dlt.Letters.standing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.NextGeneration;
import dev.tollgate.schema.event.ReconcileEvent;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Standing;
import dev.tollgate.worker.intake.Acceptance;
import dev.tollgate.worker.retention.Horizon;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What would come of a letter, by its value and by what is stored. */
final class JudgeTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private final Map<OperationKey, Standing> stored = new HashMap<>();
  private @Nullable Money price = Money.of("0.35");
  private Acceptance acceptance = _ -> Optional.empty();
  private Predicate<DeadLetter> spent = _ -> false;
  private @Nullable Horizon horizon;

  private List<Verdict> judged(boolean requests, DeadLetter... letters) {
    Judge.Prices prices =
        new Judge.Prices() {
          @Override
          public Optional<Money> of(String provider) {
            return Optional.ofNullable(price);
          }

          @Override
          public String currency() {
            return "USD";
          }
        };
    return new Judge(
            requests,
            _ -> stored,
            acceptance,
            prices,
            _ -> Optional.ofNullable(horizon),
            spent,
            () -> NOW)
        .of(List.of(letters));
  }

  private Verdict judged(Code code, EventMessage message) {
    return judged(true, letter(1, code, 0, message)).getFirst();
  }

  private void store(EventMessage message, OperationState state, @Nullable String output) {
    Code reason = state == OperationState.FAILED ? Code.PROVIDER_FAILED : null;
    stored.put(decoded(message).key(), standing(decoded(message), state, reason, output));
  }

  @Test
  void newRequest_wouldBeTakenIn_andCostsItsPrice() {
    assertThat(judged(Code.UNKNOWN_PROVIDER, request("p", 7, "")))
        .isEqualTo(
            new Verdict.Sendable("provider keyed is configured now; it costs 0.35 USD", 350_000L));
    price = null;
    assertThat(judged(Code.INVALID_EVENT, request("p", 7, "")))
        .isEqualTo(new Verdict.Sendable("its price is not known", null));
  }

  /** A replay carries the first sending along, so what the worker would say is known before. */
  @Test
  void olderThanWhatIsRemembered_isRefusedAgain_unlessItsKeyIsKnown() {
    horizon = new Horizon(Duration.ofDays(90), "an audit");
    DeadLetter old = sentAt(NOW.minus(Duration.ofDays(91)));
    assertThat(judged(true, old).getFirst().says()).contains("refused again: TOO_OLD", "an audit");
    assertThat(judged(true, sentAt(NOW.minus(Duration.ofDays(89)))).getFirst())
        .isInstanceOf(Verdict.Sendable.class);
    store(request("p", 7, ""), OperationState.COMPLETE, "file:///p.mp4");
    assertThat(judged(true, old).getFirst()).isInstanceOf(Verdict.Settled.class);
  }

  private static DeadLetter sentAt(Instant at) {
    DeadLetter letter = letter(1, Code.UNKNOWN_PROVIDER, 0, request("p", 7, ""));
    DeadLetterHeaders.put(
        letter.record().headers(), DeadLetterHeaders.FIRST_SENT_AT, at.toString());
    return letter;
  }

  @Test
  void complete_isSettledWithTheOutput() {
    store(request("p", 7, ""), OperationState.COMPLETE, "file:///p.mp4");
    assertThat(judged(Code.UNKNOWN_PROVIDER, request("p", 7, "")))
        .isEqualTo(new Verdict.Settled("already complete: file:///p.mp4"));
  }

  @ParameterizedTest
  @EnumSource(value = OperationState.class, names = "COMPLETE", mode = EnumSource.Mode.EXCLUDE)
  void knownOtherwise_isSettledWithItsState(OperationState state) {
    store(request("p", 7, ""), state, null);
    assertThat(judged(Code.UNKNOWN_PROVIDER, request("p", 7, "")))
        .isInstanceOf(Verdict.Settled.class)
        .extracting(Verdict::says)
        .asString()
        .contains(state.word());
  }

  @Test
  void storedWithOtherParameters_isRefusedAgain() {
    store(request("p", 8, ""), OperationState.ACCEPTED, null);
    assertThat(judged(Code.KEY_PARAMETERS_MISMATCH, request("p", 7, "")).says())
        .contains("refused again: KEY_PARAMETERS_MISMATCH", "is accepted");
  }

  @Test
  void unreadable_isRefusedAgain_withTodaysReason() {
    Verdict verdict = judged(true, letter(1, Code.INVALID_EVENT, 0, "{\"kind\":")).getFirst();
    assertThat(verdict).isInstanceOf(Verdict.RefusedAgain.class);
    assertThat(verdict.says()).contains("INVALID_EVENT: ");
  }

  @Test
  void providerIsStillUnknown_isRefusedAgain() {
    acceptance = _ -> Optional.of(new Refused(Code.UNKNOWN_PROVIDER, "keyed is not configured"));
    assertThat(judged(Code.UNKNOWN_PROVIDER, request("p", 7, "")))
        .isEqualTo(new Verdict.RefusedAgain(Code.UNKNOWN_PROVIDER, "keyed is not configured"));
  }

  @Test
  void deadlineHasPassed_isRefusedAgain() {
    String past = ",\"deadline\":\"2026-03-01T09:00:00Z\"";
    String future = ",\"deadline\":\"2026-03-01T11:00:00Z\"";
    assertThat(judged(Code.UNKNOWN_PROVIDER, request("p", 7, past)).says())
        .contains("DEADLINE_EXPIRED");
    assertThat(judged(Code.UNKNOWN_PROVIDER, request("p", 7, future)))
        .isInstanceOf(Verdict.Sendable.class);
  }

  @Test
  void severalForOneOperation_theFirstIsTakenIn() {
    List<Verdict> verdicts =
        judged(
            true,
            letter(1, Code.UNKNOWN_PROVIDER, 0, request("p", 7, "")),
            letter(2, Code.UNKNOWN_PROVIDER, 0, request("p", 7, "")),
            letter(3, Code.UNKNOWN_PROVIDER, 0, request("p", 8, "")));
    assertThat(verdicts.get(0)).isInstanceOf(Verdict.Sendable.class);
    assertThat(verdicts.get(1)).isInstanceOf(Verdict.Settled.class);
    assertThat(verdicts.get(2)).isInstanceOf(Verdict.RefusedAgain.class);
    assertThat(verdicts.get(2).says()).contains("1@1", "other parameters");
  }

  @Test
  void severalForOneOperation_oneThatIsNotSentStandsForNone() {
    spent = letter -> letter.place().offset() == 1;
    List<Verdict> verdicts =
        judged(
            true,
            letter(1, Code.UNKNOWN_PROVIDER, 9, request("p", 7, "")),
            letter(2, Code.UNKNOWN_PROVIDER, 0, request("p", 7, "")));
    assertThat(verdicts).hasOnlyElementsOfType(Verdict.Sendable.class);
  }

  @Test
  void nextGeneration_waitsForTheEarlierOne() {
    EventMessage first = request("p", 7, "");
    EventMessage second =
        ((RequestWriter.Ready)
                NextGeneration.ofJsonLine(first.value(), "/shop", "anna", "too dark"))
            .message();
    List<String> said = new ArrayList<>();
    said.add(judged(Code.EARLIER_STILL_OPEN, second).says());
    store(first, OperationState.UNKNOWN, null);
    said.add(judged(Code.EARLIER_STILL_OPEN, second).says());
    assertThat(said.get(0)).contains("EARLIER_NOT_FOUND");
    assertThat(said.get(1)).contains("EARLIER_STILL_OPEN");
    store(first, OperationState.FAILED, null);
    assertThat(judged(Code.EARLIER_STILL_OPEN, second)).isInstanceOf(Verdict.Sendable.class);
  }

  @Test
  void reconcileEventThatNobodyCanRead_isRefusedAgain() {
    assertThat(judged(false, letter(1, Code.INVALID_EVENT, 0, "{}")).getFirst())
        .isInstanceOf(Verdict.RefusedAgain.class);
  }

  @Test
  void reconcileEvent_isSentWhileItsOperationIsUnknown_andCostsNothing() {
    EventMessage asked = request("p", 7, "");
    EventMessage event =
        new ReconcileEvent(decoded(asked).key(), 1, Code.OUTCOME_UNKNOWN).toMessage();
    DeadLetter letter = letter(1, Code.INVALID_EVENT, 0, event);
    assertThat(judged(false, letter).getFirst()).isInstanceOf(Verdict.Settled.class);
    store(asked, OperationState.UNKNOWN, null);
    assertThat(judged(false, letter).getFirst())
        .isInstanceOfSatisfying(
            Verdict.Sendable.class, sendable -> assertThat(sendable.micros()).isZero());
    store(asked, OperationState.COMPLETE, "file:///p.mp4");
    assertThat(judged(false, letter).getFirst())
        .isEqualTo(new Verdict.Settled("already complete: file:///p.mp4"));
  }
}
