package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.worker.provider.AnswerRule.Means;
import dev.tollgate.worker.provider.Verdict.Accepted;
import dev.tollgate.worker.provider.Verdict.NotSent;
import dev.tollgate.worker.provider.Verdict.Rejected;
import dev.tollgate.worker.provider.Verdict.Throttled;
import dev.tollgate.worker.provider.Verdict.Unknown;
import dev.tollgate.worker.provider.VerdictRules.Judgement;
import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.HttpAnswer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules alone, with facts that the task API does not have as well. */
class VerdictRulesTest {
  private static final Set<String> ANY = Set.of();
  private static final VerdictRules TASK_API = new VerdictRules(TaskApiRules.DOCUMENTED);
  private static final VerdictRules OTHER =
      new VerdictRules(
          List.of(
              new AnswerRule(Set.of(), Set.of("in_use"), Means.KEY_IN_USE),
              new AnswerRule(Set.of(), Set.of("exists"), Means.UNDECIDED),
              new AnswerRule(Set.of(429), Set.of("slow"), Means.THROTTLED),
              new AnswerRule(Set.of(503), Set.of("full"), Means.THROTTLED),
              new AnswerRule(Set.of(400, 403), Set.of("no_credit"), Means.QUOTA),
              new AnswerRule(Set.of(429), Set.of("arrears"), Means.QUOTA),
              new AnswerRule(Set.of(200), Set.of("refused"), Means.REJECTED),
              new AnswerRule(Set.of(400, 403), ANY, Means.REJECTED)));

  @Test
  void firstByteNotSent_isNotSentWhateverElse() {
    assertThat(read(TASK_API, HttpAnswer.notSent("refused")).verdict())
        .isEqualTo(new NotSent("refused"));
  }

  @Test
  void unprocessed_isNotSentThoughBytesLeft() {
    HttpAnswer answer = HttpAnswer.unprocessed("REFUSED_STREAM");
    assertThat(answer.firstByteSent()).isTrue();
    assertThat(read(TASK_API, answer).verdict()).isEqualTo(new NotSent("REFUSED_STREAM"));
  }

  @Test
  void noHead_isUnknown() {
    assertThat(read(TASK_API, HttpAnswer.silence("reset")).verdict())
        .isEqualTo(new Unknown("no answer: reset"));
  }

  /** No status decides without a body in the provider's shape. */
  @ParameterizedTest
  @MethodSource("everyStatus")
  void bareStatus_isUnknown(int status) {
    for (String body : new String[] {"", "{}", "null", "[]", "<html>", "{\"error\":\"no\"}"}) {
      assertThat(judge(TASK_API, status, body)).as(body).isInstanceOf(Unknown.class);
    }
  }

  static IntStream everyStatus() {
    return IntStream.rangeClosed(100, 599);
  }

  @ParameterizedTest
  @CsvSource({
    "400,PERMANENT",
    "401,AUTH",
    "402,QUOTA",
    "403,AUTH",
    "404,PERMANENT",
    "405,PERMANENT",
    "413,PERMANENT",
    "415,PERMANENT",
    "422,PERMANENT"
  })
  void documentedRefusal_isRejectedByClass(int status, Rejection rejection) {
    assertThat(judge(TASK_API, status, error("why")))
        .isEqualTo(new Rejected(rejection, status + " why"));
  }

  @Test
  void documentedRefusal_withATaskId_isUnknownAndKeepsTheId() {
    Judgement judgement =
        read(TASK_API, whole(422, "{\"error\":{\"code\":\"why\",\"task_id\":\"t-1\"}}"));
    assertThat(judgement.verdict()).isInstanceOf(Unknown.class);
    assertThat(judgement.seenId()).contains("t-1");
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 502, 503, 504, 529})
  void refusalWithATaskId_isUnknownAndKeepsTheId(int status) {
    Judgement judgement = read(TASK_API, whole(status, "{\"id\":\"t-1\"}"));
    assertThat(judgement.verdict().toString()).contains("to be verified");
    assertThat(judgement.seenId()).contains("t-1");
  }

  @Test
  void documentedRefusal_cut_isUnknown() {
    HttpAnswer cut = answer(422, error("why"), BodyEnd.CUT, "reset");
    assertThat(read(TASK_API, cut).verdict()).isInstanceOf(Unknown.class);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-,1",
        "7,7",
        "0,1",
        "-5,1",
        "soon,1",
        "999999,3600",
        "99999999999999999999,1",
        "'1, 5',1"
      })
  void throttled_readsWholeSecondsOnly(@Nullable String header, long seconds) {
    Map<String, String> headers = header == null ? Map.of() : Map.of("retry-after", header);
    HttpAnswer answer = HttpAnswer.of(429, headers, utf8(error("rate_limited")), BodyEnd.WHOLE, "");
    assertThat(read(TASK_API, answer).verdict())
        .isEqualTo(new Throttled(Duration.ofSeconds(seconds), "429 rate_limited"));
  }

  @Test
  void throttle_isForItsOwnStatusAndCodeOnly() {
    assertThat(judge(OTHER, 503, error("full"))).isInstanceOf(Throttled.class);
    assertThat(judge(OTHER, 503, error("slow"))).isInstanceOf(Unknown.class);
    assertThat(judge(OTHER, 429, error("full"))).isInstanceOf(Unknown.class);
    assertThat(judge(OTHER, 500, error("full"))).isInstanceOf(Unknown.class);
  }

  @Test
  void fc52_keyInUse_isUnknownUnderAnyStatus() {
    for (int status : new int[] {400, 403, 409, 500}) {
      assertThat(judge(OTHER, status, error("in_use"))).isInstanceOf(Unknown.class);
    }
  }

  @Test
  void keyReused_isRejectedWithAlarm() {
    assertThat(judge(TASK_API, 422, error("idempotency_key_reused")))
        .isEqualTo(new Rejected(Rejection.KEY_REUSED, "422 idempotency_key_reused"));
    assertThat(judge(TASK_API, 409, error("idempotency_key_reused"))).isInstanceOf(Rejected.class);
    assertThat(judge(TASK_API, 500, error("idempotency_key_reused"))).isInstanceOf(Unknown.class);
    assertThat(Rejection.KEY_REUSED.alarm()).isTrue();
  }

  @Test
  void undecidedCode_isUnknownUnderADocumentedStatus() {
    assertThat(judge(OTHER, 400, error("exists"))).isInstanceOf(Unknown.class);
  }

  @Test
  void quotaCode_isQuotaUnderAnyDocumentedStatus() {
    assertThat(judge(OTHER, 400, error("no_credit")))
        .isEqualTo(new Rejected(Rejection.QUOTA, "400 no_credit"));
  }

  @Test
  void errorIn2xx_isRejectedOnlyIfDocumented() {
    assertThat(judge(OTHER, 200, error("refused"))).isInstanceOf(Rejected.class);
    assertThat(judge(OTHER, 200, error("other"))).isInstanceOf(Unknown.class);
    assertThat(judge(TASK_API, 200, error("refused"))).isInstanceOf(Unknown.class);
  }

  @Test
  void errorIn2xx_withAnId_isUnknownAndKeepsTheId() {
    Judgement judgement =
        read(OTHER, whole(200, "{\"id\":\"t-1\",\"error\":{\"code\":\"refused\"}}"));
    assertThat(judgement.verdict()).isInstanceOf(Unknown.class);
    assertThat(judgement.seenId()).contains("t-1");
  }

  @Test
  void nullErrorIn2xx_isNoError() {
    assertThat(judge(TASK_API, 202, "{\"error\":null,\"id\":\"t-1\"}"))
        .isEqualTo(new Accepted("t-1", ""));
  }

  @Test
  void cutIn2xx_isAcceptedFromTheClosingQuoteOn() {
    String body = "{\"status\":\"queued\",\"id\":\"t-12345\",\"created_at\":\"2026\"}";
    int idWhole = body.indexOf("t-12345") + "t-12345".length() + 1;
    for (int n = 0; n < body.length(); n++) {
      HttpAnswer cut = answer(202, body.substring(0, n), BodyEnd.CUT, "reset");
      Verdict verdict = read(TASK_API, cut).verdict();
      if (n < idWhole) {
        assertThat(verdict).as("cut after %d", n).isInstanceOf(Unknown.class);
      } else {
        assertThat(verdict).as("cut after %d", n).isEqualTo(new Accepted("t-12345", "cut: reset"));
      }
    }
  }

  @Test
  void errorCodeThatIsNoCode_isNotRepeated() {
    Verdict verdict = judge(TASK_API, 400, error("a red kite\\n"));
    assertThat(verdict).isInstanceOf(Unknown.class);
    assertThat(verdict.toString()).doesNotContain("kite");
  }

  @Test
  void deepNesting_isUnknown() {
    String deep = "{\"id\":\"t-1\",\"x\":" + "[".repeat(8000) + "]".repeat(8000) + "}";
    assertThat(judge(TASK_API, 202, deep)).isInstanceOf(Unknown.class);
  }

  @Test
  void everyVerdict_hasItsCode() {
    assertThat(new Accepted("t", "").code()).isEqualTo(Code.PROVIDER_ACCEPTED);
    assertThat(new Rejected(Rejection.PERMANENT, "").code()).isEqualTo(Code.PROVIDER_REJECTED);
    assertThat(new Rejected(Rejection.AUTH, "").code()).isEqualTo(Code.ACCOUNT_REFUSED);
    assertThat(new Rejected(Rejection.QUOTA, "").code()).isEqualTo(Code.ACCOUNT_REFUSED);
    assertThat(new Throttled(Duration.ZERO, "").code()).isEqualTo(Code.PROVIDER_THROTTLED);
    assertThat(new NotSent("").code()).isEqualTo(Code.NOT_SENT);
    assertThat(new Unknown("").code()).isEqualTo(Code.OUTCOME_UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 302, 408, 409, 425, 429, 500, 503})
  void aStatusThatProvesNothing_cannotMeanRejected(int status) {
    Set<Integer> alone = Set.of(status);
    assertThatThrownBy(() -> new AnswerRule(alone, ANY, Means.REJECTED))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void accountStatesUnder429_areRejectedByTheirCodes() {
    assertThat(judge(OTHER, 429, error("arrears")))
        .isEqualTo(new Rejected(Rejection.QUOTA, "429 arrears"));
  }

  private static Verdict judge(VerdictRules rules, int status, String body) {
    return read(rules, whole(status, body)).verdict();
  }

  private static Judgement read(VerdictRules rules, HttpAnswer answer) {
    return rules.judge(answer, read -> AnswerBody.read(read.body()));
  }

  private static HttpAnswer whole(int status, String body) {
    return answer(status, body, BodyEnd.WHOLE, "");
  }

  private static HttpAnswer answer(int status, String body, BodyEnd end, String error) {
    return HttpAnswer.of(status, Map.of(), utf8(body), end, error);
  }

  private static String error(String code) {
    return "{\"error\":{\"code\":\"" + code + "\",\"message\":\"because\"}}";
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
