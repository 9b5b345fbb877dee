package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.VerdictRules.Judgement;
import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.HttpAnswer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What became of a submission, and what was seen of it. */
public record SubmitResult(Verdict verdict, RawAnswer raw) {
  private static final Logger log = LoggerFactory.getLogger(SubmitResult.class);

  /** What says how an answer is to be read, and by what name its provider finds it again. */
  private static final Set<String> KEPT_HEADERS =
      Set.of(
          "content-type",
          "content-length",
          "content-encoding",
          "retry-after",
          "x-request-id",
          "request-id",
          "x-amzn-errortype",
          "x-amzn-requestid",
          "x-fal-request-id",
          "apim-request-id");

  /**
   * A judged answer without its secrets.
   *
   * @param key the operation key, for the alarm that a reused submission key is
   */
  public static SubmitResult of(
      String key, String provider, HttpAnswer answer, Judgement judgement, Redactor redactor) {
    Verdict verdict = redacted(judgement.verdict(), redactor);
    if (verdict instanceof Verdict.Rejected(Rejection rejection, String reason)
        && rejection.alarm()) {
      log.error(
          "operation {}: provider {} has its submission key with other parameters ({}): one key"
              + " went out with two sets of parameters; the operation is refused",
          key,
          provider,
          reason);
    }
    return new SubmitResult(verdict, evidence(answer, judgement.seenId(), redactor));
  }

  /** The verdict as it may be stored and logged. */
  private static Verdict redacted(Verdict verdict, Redactor redactor) {
    return switch (verdict) {
      case Verdict.Accepted(String id, String note) ->
          redactor.redact(id).equals(id)
              ? new Verdict.Accepted(id, redactor.redact(note))
              : new Verdict.Unknown("the task id in the answer contains a credential");
      case Verdict.Rejected(Rejection rejection, String reason) ->
          new Verdict.Rejected(rejection, redactor.redact(reason));
      case Verdict.Throttled(Duration after, String reason) ->
          new Verdict.Throttled(after, redactor.redact(reason));
      case Verdict.NotSent(String reason) -> new Verdict.NotSent(redactor.redact(reason));
      case Verdict.Unknown(String reason) -> new Verdict.Unknown(redactor.redact(reason));
    };
  }

  private static RawAnswer evidence(HttpAnswer answer, Optional<String> seenId, Redactor redactor) {
    boolean longer = answer.body().length > RawAnswer.BODY_LIMIT; // a result that came at once
    boolean truncated = longer || answer.end() == BodyEnd.CUT || answer.end() == BodyEnd.OVER_LIMIT;
    byte[] body = longer ? Arrays.copyOf(answer.body(), RawAnswer.BODY_LIMIT) : answer.body();
    Map<String, String> kept = new HashMap<>();
    answer
        .headers()
        .forEach(
            (name, value) -> {
              if (KEPT_HEADERS.contains(name)) {
                kept.put(name, redactor.redact(value));
              }
            });
    return new RawAnswer(
        answer.firstByteSent(),
        answer.status(),
        kept,
        Bytes.copyOf(redactor.redact(body, truncated)),
        truncated,
        redactor.redact(answer.error()),
        seenId.map(redactor::redact));
  }
}
