package dev.tollgate.worker.provider;

import java.io.IOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.erdtman.jcs.JsonCanonicalizer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the task API's answers to status calls and look-ups. Stateless; never fails. */
final class TaskApiJson {
  private static final int WORD_MAX = 64;
  private static final int MESSAGE_MAX = 1000;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private TaskApiJson() {}

  /**
   * One page of a task list.
   *
   * @param readable whether every entry could be read
   * @param next the cursor of the next page
   */
  record Page(List<Candidate> candidates, boolean readable, Optional<String> next) {}

  /** The task that a 200 names, if it is {@code remoteId}. */
  static StatusResult status(byte[] body, String remoteId, Redactor redactor) {
    Optional<JsonNode> task = object(body);
    if (task.isEmpty()) {
      return new StatusResult.Unavailable("200: not a JSON object");
    }
    if (!text(task.get(), "id").equals(Optional.of(remoteId))) {
      return new StatusResult.Unavailable("200: about another task, or about none");
    }
    Optional<String> word = text(task.get(), "status");
    if (word.isEmpty()) {
      return new StatusResult.Unavailable("200: no status in it");
    }
    return switch (word.get()) {
      case "queued" -> plain(TaskState.QUEUED);
      case "processing" -> plain(TaskState.PROCESSING);
      case "succeeded" ->
          new StatusResult.Status(
              TaskState.SUCCEEDED, output(task.get().path("output")), Optional.empty());
      case "failed" ->
          new StatusResult.Status(
              TaskState.FAILED,
              Optional.empty(),
              Optional.of(error(task.get().path("error"), redactor)));
      default ->
          new StatusResult.UnknownWord(AnswerText.printable(redactor.redact(word.get()), WORD_MAX));
    };
  }

  /** A page of a list; empty if the bytes are not one. */
  static Optional<Page> page(byte[] body) {
    Optional<JsonNode> root = object(body);
    if (root.isEmpty() || !root.get().path("tasks").isArray()) {
      return Optional.empty();
    }
    List<Candidate> candidates = new ArrayList<>();
    boolean readable = true;
    for (JsonNode entry : root.get().path("tasks")) {
      Optional<Candidate> candidate = candidate(entry);
      candidate.ifPresent(candidates::add);
      readable &= candidate.isPresent();
    }
    JsonNode next = root.get().path("next_cursor");
    boolean ended = next.isMissingNode() || next.isNull();
    Optional<String> cursor = text(root.get(), "next_cursor");
    return Optional.of(new Page(candidates, readable && (ended || cursor.isPresent()), cursor));
  }

  private static Optional<Candidate> candidate(JsonNode entry) {
    Optional<String> id = text(entry, "id").filter(AnswerReading::usableId);
    Optional<Instant> createdAt = text(entry, "created_at").flatMap(TaskApiJson::instant);
    if (id.isEmpty() || createdAt.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Candidate(
            id.get(),
            createdAt.get(),
            canonical(entry.path("input")),
            text(entry, "client_reference")));
  }

  /**
   * RFC 8785 form; none if there is no input, or a number in it is beyond what that form allows.
   */
  private static Optional<Bytes> canonical(JsonNode input) {
    if (!input.isObject()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          Bytes.copyOf(new JsonCanonicalizer(JSON.writeValueAsString(input)).getEncodedUTF8()));
    } catch (IOException | RuntimeException _) {
      return Optional.empty(); // the library throws both for what it cannot express
    }
  }

  /** What the task names as its output; none if any part of it is unreadable. */
  private static Optional<OutputRef> output(JsonNode output) {
    Optional<URI> url = text(output, "url").flatMap(AnswerText::address);
    Optional<String> sha256 = text(output, "sha256").map(hex -> hex.toLowerCase(Locale.ROOT));
    boolean digestFits = output.path("sha256").isMissingNode() || sha256.isPresent();
    boolean digestReads = sha256.map(hex -> hex.matches("[0-9a-f]{64}")).orElse(true);
    JsonNode length = output.path("length");
    boolean lengthReads =
        length.isMissingNode() || (length.canConvertToLong() && length.isIntegralNumber());
    if (url.isEmpty() || !digestFits || !digestReads || !lengthReads) {
      return Optional.empty();
    }
    OptionalLong bytes =
        length.isMissingNode() ? OptionalLong.empty() : OptionalLong.of(length.longValue());
    return Optional.of(new OutputRef(url.get(), sha256, bytes, text(output, "content_type")));
  }

  private static TaskError error(JsonNode error, Redactor redactor) {
    String code = text(error, "code").filter(AnswerReading::usableCode).orElse("unspecified");
    String message = redactor.redact(text(error, "message").orElse(""));
    return new TaskError(redactor.redact(code), AnswerText.printable(message, MESSAGE_MAX));
  }

  private static StatusResult plain(TaskState state) {
    return new StatusResult.Status(state, Optional.empty(), Optional.empty());
  }

  private static Optional<JsonNode> object(byte[] body) {
    try {
      return Optional.of(JSON.readTree(body)).filter(JsonNode::isObject);
    } catch (JacksonException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
  }

  private static Optional<Instant> instant(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
