package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.worker.provider.AnswerReading;
import dev.tollgate.worker.provider.AnswerText;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.Redactor;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.TaskError;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.provider.described.ReadAnswers.Whole;
import dev.tollgate.worker.provider.descriptor.Descriptor.Status;
import dev.tollgate.worker.provider.jq.Jq;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads what a status call said. Stateless. */
final class Statuses {
  private static final int WORD_MAX = 64;
  private static final int MESSAGE_MAX = 1000;

  private final Status status;
  private final Redactor redactor;

  Statuses(Status status, Redactor redactor) {
    this.status = status;
    this.redactor = redactor;
  }

  /** The task that an answer is about, if it is the one that was asked about. */
  StatusResult read(Whole answer, String remoteId) {
    if (status.id().isPresent()
        && !status
            .id()
            .get()
            .text(answer.json(), answer.variables())
            .equals(Optional.of(remoteId))) {
      return new StatusResult.Unavailable("about another task, or about none");
    }
    Optional<String> word = status.word().text(answer.json(), answer.variables());
    if (word.isEmpty()) {
      return new StatusResult.Unavailable("no state in it");
    }
    TaskState state = status.words().get(word.get());
    if (state == null) {
      return new StatusResult.UnknownWord(
          AnswerText.printable(redactor.redact(word.get()), WORD_MAX));
    }
    return switch (state) {
      case QUEUED, PROCESSING -> new StatusResult.Status(state, Optional.empty(), Optional.empty());
      case SUCCEEDED -> new StatusResult.Status(state, output(answer), Optional.empty());
      case FAILED, CANCELLED, EXPIRED ->
          new StatusResult.Status(state, Optional.empty(), Optional.of(error(answer)));
    };
  }

  /** The first output; none if it cannot be read. */
  Optional<OutputRef> output(Whole answer) {
    List<JsonNode> outputs = status.outputs().from().all(answer.json(), answer.variables());
    return outputs.isEmpty() ? Optional.empty() : output(outputs.getFirst());
  }

  /** An output as an answer names it; none if any part of it is unreadable. */
  static Optional<OutputRef> output(JsonNode output) {
    if (output.isTextual()) {
      return AnswerText.address(output.textValue())
          .map(url -> new OutputRef(url, Optional.empty(), OptionalLong.empty(), Optional.empty()));
    }
    Optional<URI> url = text(output, "url").flatMap(AnswerText::address);
    Optional<String> sha256 = text(output, "sha256").map(hex -> hex.toLowerCase(Locale.ROOT));
    boolean digestReads =
        output.path("sha256").isMissingNode()
            || sha256.filter(hex -> hex.matches("[0-9a-f]{64}")).isPresent();
    JsonNode length = output.path("length");
    boolean lengthReads =
        length.isMissingNode() || (length.isIntegralNumber() && length.canConvertToLong());
    if (url.isEmpty() || !digestReads || !lengthReads) {
      return Optional.empty();
    }
    OptionalLong bytes =
        length.isMissingNode() ? OptionalLong.empty() : OptionalLong.of(length.longValue());
    return Optional.of(new OutputRef(url.get(), sha256, bytes, text(output, "content_type")));
  }

  private TaskError error(Whole answer) {
    String code =
        part(status.errorCode(), answer).filter(AnswerReading::usableCode).orElse("unspecified");
    String message = redactor.redact(part(status.errorMessage(), answer).orElse(""));
    return new TaskError(redactor.redact(code), AnswerText.printable(message, MESSAGE_MAX));
  }

  private static Optional<String> part(Optional<Jq> jq, Whole answer) {
    return jq.flatMap(found -> found.text(answer.json(), answer.variables()));
  }

  private static Optional<String> text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
  }
}
