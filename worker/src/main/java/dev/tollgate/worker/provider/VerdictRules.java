package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.AnswerReading.Form;
import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.HttpAnswer;
import java.util.List;
import java.util.Optional;

/**
 * From what was seen to what is known: a pure function, without I/O, clock or log.
 *
 * <p>It leans one way. Accepted needs a task id in a 2xx answer by which the task can be asked
 * about; rejected and throttled need a whole answer in the provider's own error shape with a status
 * (and where it matters a code) that the provider documents as "nothing created"; not sent needs
 * the proof that no byte left, or the peer's own word on the level of the protocol that it did not
 * process the request. Everything else, and everything new, is unknown.
 */
public final class VerdictRules {

  /** A provider that asks for more is asked again after an hour all the same. */
  private final List<AnswerRule> rules;

  /**
   * @param rules what the provider documents; the first that fits an answer counts
   */
  public VerdictRules(List<AnswerRule> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * A verdict, and what else was seen.
   *
   * @param seenId an id in the body on which the verdict does not rest
   */
  public record Judgement(Verdict verdict, Optional<String> seenId) {}

  /** Reads the body of an answer that came; must not fail. */
  @FunctionalInterface
  public interface Reader {
    AnswerReading read(HttpAnswer answer);
  }

  /** Judges the answer to one create. Its body is read only where there is one to judge. */
  public Judgement judge(HttpAnswer answer, Reader reader) {
    if (!answer.firstByteSent() || answer.unprocessed()) {
      return new Judgement(new Verdict.NotSent(answer.error()), Optional.empty());
    }
    if (answer.status().isEmpty()) {
      return new Judgement(new Verdict.Unknown("no answer: " + answer.error()), Optional.empty());
    }
    int status = answer.status().getAsInt();
    AnswerReading body = reader.read(answer);
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

  private Verdict created(int status, AnswerReading body, HttpAnswer answer) {
    if (body.error()) {
      return createdWithError(status, body, answer);
    }
    if (body.id().isEmpty()) {
      String form = body.form() == Form.OBJECT ? body.idFault() : "body is " + body.form().words();
      return new Verdict.Unknown(
          status + " without a task id: " + form + inBrackets(cutNote(answer)));
    }
    String id = body.id().get();
    if (!body.idFault().isEmpty()) {
      return new Verdict.Unknown(
          status + " with an unusable task id: " + body.idFault() + inBrackets(cutNote(answer)));
    }
    if (body.form() == Form.OBJECT) {
      return new Verdict.Accepted(id, cutNote(answer));
    }
    if (answer.end() == BodyEnd.WHOLE) {
      return new Verdict.Unknown(status + ": has an id, but is not JSON as a whole");
    }
    return new Verdict.Accepted(id, cutNote(answer));
  }

  private Verdict createdWithError(int status, AnswerReading body, HttpAnswer answer) {
    String reason = status + " with an error" + codeNote(body);
    if (body.errorCode().isPresent() && body.id().isEmpty() && whole(body, answer)) {
      Optional<Verdict> documented = documented(status, body.errorCode().get(), answer);
      if (documented.isPresent()) {
        return documented.get();
      }
    }
    return new Verdict.Unknown(reason + inBrackets(cutNote(answer)));
  }

  private Verdict refused(int status, AnswerReading body, HttpAnswer answer) {
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
    String code = body.errorCode().get();
    return documented(status, code, answer)
        .orElseGet(
            () ->
                new Verdict.Unknown(status + " " + code + ": not documented as 'nothing created'"));
  }

  /** What the provider documents about an answer in its own error shape. */
  private Optional<Verdict> documented(int status, String code, HttpAnswer answer) {
    String reason = status + " " + code;
    for (AnswerRule rule : rules) {
      if (rule.fits(status, code)) {
        return Optional.of(verdict(rule.means(), reason, answer));
      }
    }
    return Optional.empty();
  }

  private static Verdict verdict(AnswerRule.Means means, String reason, HttpAnswer answer) {
    return switch (means) {
      case REJECTED -> new Verdict.Rejected(Rejection.PERMANENT, reason);
      case QUOTA -> new Verdict.Rejected(Rejection.QUOTA, reason);
      case AUTH -> new Verdict.Rejected(Rejection.AUTH, reason);
      case KEY_REUSED -> new Verdict.Rejected(Rejection.KEY_REUSED, reason);
      case THROTTLED -> new Verdict.Throttled(RetryAfter.of(answer), reason);
      case KEY_IN_USE ->
          new Verdict.Unknown(reason + ": the first request with this key still runs");
      case UNDECIDED -> new Verdict.Unknown(reason + ": documented to prove nothing");
    };
  }

  private static boolean whole(AnswerReading body, HttpAnswer answer) {
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

  private static String codeNote(AnswerReading body) {
    return body.errorCode().map(code -> " " + code).orElse("");
  }
}
