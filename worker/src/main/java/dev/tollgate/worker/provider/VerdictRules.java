package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.AnswerBody.Form;
import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.HttpAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * From what was seen to what is known: a pure function, without I/O, clock or log.
 *
 * <p>It leans one way. Accepted needs a task id in a 2xx answer; rejected and throttled need a
 * whole answer in the provider's own error shape with a status (and where it matters a code) that
 * the provider documents as "nothing created"; not sent needs the proof that no byte left, or the
 * peer's own word on the level of the protocol that it did not process the request. Everything
 * else, and everything new, is unknown.
 */
final class VerdictRules {
  private static final Duration RETRY_AFTER_DEFAULT = Duration.ofSeconds(1);

  /** A provider that asks for more is asked again after an hour all the same. */
  private static final Duration RETRY_AFTER_MAX = Duration.ofHours(1);

  private final CreateFacts facts;

  VerdictRules(CreateFacts facts) {
    this.facts = facts;
  }

  /**
   * A verdict, and what else was seen.
   *
   * @param seenId an id in the body on which the verdict does not rest
   */
  record Judgement(Verdict verdict, Optional<String> seenId) {}

  /** Judges the answer to one create. */
  Judgement judge(HttpAnswer answer) {
    if (!answer.firstByteSent() || answer.unprocessed()) {
      return new Judgement(new Verdict.NotSent(answer.error()), Optional.empty());
    }
    if (answer.status().isEmpty()) {
      return new Judgement(new Verdict.Unknown("no answer: " + answer.error()), Optional.empty());
    }
    int status = answer.status().getAsInt();
    AnswerBody body = AnswerBody.read(answer.body());
    Verdict verdict =
        switch (status / 100) {
          case 2 -> created(status, body, answer);
          case 3 -> new Verdict.Unknown(status + ": redirect of a create, not followed");
          case 4, 5 -> refused(status, body, answer);
          default -> new Verdict.Unknown(status + ": not a final status that HTTP knows");
        };
    return verdict instanceof Verdict.Accepted
        ? new Judgement(verdict, Optional.empty())
        : new Judgement(verdict, body.id().or(body::hint));
  }

  private Verdict created(int status, AnswerBody body, HttpAnswer answer) {
    if (body.error()) {
      return createdWithError(status, body, answer);
    }
    if (body.id().isEmpty()) {
      String form = body.form() == Form.OBJECT ? body.idFault() : "body is " + body.form().words();
      return new Verdict.Unknown(
          status + " without a task id: " + form + inBrackets(cutNote(answer)));
    }
    String id = body.id().get();
    if (body.form() == Form.OBJECT) {
      return new Verdict.Accepted(id, cutNote(answer));
    }
    if (answer.end() == BodyEnd.WHOLE) {
      return new Verdict.Unknown(status + ": has an id, but is not JSON as a whole");
    }
    return new Verdict.Accepted(id, cutNote(answer));
  }

  private Verdict createdWithError(int status, AnswerBody body, HttpAnswer answer) {
    boolean documented =
        body.errorCode().filter(facts.refusedIn2xx()::contains).isPresent()
            && body.id().isEmpty()
            && whole(body, answer);
    String reason = status + " with an error object" + codeNote(body);
    return documented
        ? new Verdict.Rejected(Rejection.PERMANENT, reason)
        : new Verdict.Unknown(reason + inBrackets(cutNote(answer)));
  }

  private Verdict refused(int status, AnswerBody body, HttpAnswer answer) {
    if (body.id().or(body::hint).isPresent()) {
      return new Verdict.Unknown(status + " with a task id in its body: to be verified");
    }
    if (!whole(body, answer) || body.errorCode().isEmpty()) {
      return new Verdict.Unknown(
          status
              + ": not the provider's error shape: "
              + body.form().words()
              + inBrackets(cutNote(answer)));
    }
    return documented(status, body.errorCode().get(), answer);
  }

  /** An answer of 4xx or 5xx in the provider's own shape: what does it document? */
  private Verdict documented(int status, String code, HttpAnswer answer) {
    String reason = status + " " + code;
    if (facts.keyInUse().contains(code)) {
      return new Verdict.Unknown(reason + ": the first request with this key still runs");
    }
    if (facts.keyReused().contains(code)
        && (status == 409 || facts.notCreated().contains(status))) {
      return new Verdict.Rejected(Rejection.KEY_REUSED, reason);
    }
    if (facts.throttles().getOrDefault(status, Set.of()).contains(code)) {
      return new Verdict.Throttled(retryAfter(answer), reason);
    }
    if (facts.notCreated().contains(status) && !facts.undecided().contains(code)) {
      return new Verdict.Rejected(rejection(status, code), reason);
    }
    return new Verdict.Unknown(reason + ": not documented as 'nothing created'");
  }

  private Rejection rejection(int status, String code) {
    if (status == 402 || facts.quota().contains(code)) {
      return Rejection.QUOTA;
    }
    return status == 401 || status == 403 ? Rejection.AUTH : Rejection.PERMANENT;
  }

  /** Whole seconds only: a date would need the provider's clock. */
  private static Duration retryAfter(HttpAnswer answer) {
    String text = answer.headers().getOrDefault("retry-after", "").strip();
    if (!text.matches("[0-9]{1,9}")) {
      return RETRY_AFTER_DEFAULT;
    }
    Duration asked = Duration.ofSeconds(Long.parseLong(text));
    if (asked.isZero()) {
      return RETRY_AFTER_DEFAULT;
    }
    return asked.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : asked;
  }

  private static boolean whole(AnswerBody body, HttpAnswer answer) {
    boolean ended = answer.end() == BodyEnd.WHOLE || answer.end() == BodyEnd.UNTIL_CLOSE;
    return ended && body.form() == Form.OBJECT;
  }

  private static String cutNote(HttpAnswer answer) {
    return switch (answer.end()) {
      case NO_HEAD, WHOLE -> "";
      case UNTIL_CLOSE -> "cut? it ran until the peer closed";
      case CUT -> "cut: " + answer.error();
      case OVER_LIMIT -> "cut: longer than is read";
    };
  }

  private static String inBrackets(String note) {
    return note.isEmpty() ? "" : " (" + note + ")";
  }

  private static String codeNote(AnswerBody body) {
    return body.errorCode().map(code -> " " + code).orElse("");
  }
}
