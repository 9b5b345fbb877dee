package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.tollgate.worker.provider.Redactor;
import dev.tollgate.worker.provider.RetryAfter;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Missing;
import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.HttpAnswer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Reads answers to calls that only read. Thread-safe; never fails. */
final class ReadAnswers {
  /** Refusals of the question itself, not of who asks or how often. */
  private static final Set<Integer> SAYS_NO = Set.of(400, 404, 405, 410, 413, 414, 422, 431);

  private static final int TOO_MANY = 429;
  private static final int BUSY = 503;

  private final Descriptor descriptor;
  private final Map<String, JsonNode> base;
  private final Supplier<Redactor> redactor;

  ReadAnswers(Descriptor descriptor, Map<String, JsonNode> base, Supplier<Redactor> redactor) {
    this.descriptor = descriptor;
    this.base = Map.copyOf(base);
    this.redactor = redactor;
  }

  /** A JSON answer of 2xx that came whole. */
  record Whole(JsonNode json, Map<String, JsonNode> variables) {}

  /** What a read came to: a whole answer, a task that is not there, or nothing usable. */
  sealed interface Read {
    record Ok(Whole whole) implements Read {}

    record NoSuchTask() implements Read {}

    /** It was asked too often. */
    record Throttled(Duration retryAfter) implements Read {}

    /**
     * Nothing usable.
     *
     * @param tooLong whether there was more than is read
     * @param answered whether it is the provider's own refusal, of a kind that is not documented
     * @param refused whether the question was refused, by whomever
     */
    record Failed(String reason, boolean tooLong, boolean answered, boolean refused)
        implements Read {}
  }

  /** What an answer to a reading call says. */
  Read judge(HttpAnswer answer, Optional<Missing> missing) {
    int status = answer.status().orElse(0);
    if (status == TOO_MANY || (status == BUSY && answer.headers().containsKey("retry-after"))) {
      return new Read.Throttled(RetryAfter.of(answer));
    }
    boolean ended = answer.end() == BodyEnd.WHOLE || answer.end() == BodyEnd.UNTIL_CLOSE;
    Optional<JsonNode> json = ended ? PartialJson.whole(answer.body()) : Optional.empty();
    if (json.isEmpty()) {
      boolean tooLong = answer.end() == BodyEnd.OVER_LIMIT;
      return new Read.Failed(unusable(answer), tooLong, false, ended && SAYS_NO.contains(status));
    }
    Map<String, JsonNode> variables = Answers.variables(base, answer);
    variables.put("request", NullNode.getInstance());
    boolean maybeMissing = missing.isPresent() && missing.get().statuses().contains(status);
    boolean success = status / 100 == 2;
    // the usual answer says how a task is doing, and needs no look for an error
    Optional<String> code =
        success && !maybeMissing
            ? Optional.empty()
            : Answers.code(descriptor.create().errorCode(), json.get(), variables);
    if (maybeMissing && code.isPresent()) {
      Set<String> codes = missing.get().codes();
      if (codes.isEmpty() || codes.contains(code.get())) {
        return new Read.NoSuchTask();
      }
    }
    return success
        ? new Read.Ok(new Whole(json.get(), variables))
        : failed(answer, code.isPresent(), SAYS_NO.contains(status));
  }

  private Read failed(HttpAnswer answer, boolean inItsWords, boolean refused) {
    return new Read.Failed(unusable(answer), false, inItsWords && refused, refused);
  }

  /** Why an answer is of no use, without anything secret. */
  String unusable(HttpAnswer answer) {
    if (answer.status().isEmpty()) {
      return redactor.get().redact("no answer: " + answer.error());
    }
    return switch (answer.end()) {
      case WHOLE, UNTIL_CLOSE ->
          "status " + answer.status().getAsInt() + ", not what was asked for";
      case OVER_LIMIT -> "the answer is longer than is read";
      case CUT, NO_HEAD -> redactor.get().redact("the answer was cut " + answer.error());
    };
  }
}
