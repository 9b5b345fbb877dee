package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.schema.Code;
import dev.tollgate.worker.provider.CheckedDownload;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.OutputSink;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.provider.descriptor.Descriptor.Outputs;
import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.HttpAnswer;
import java.io.IOException;
import java.net.URI;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Results that came with the answer to their create: what is asked about such a task is read from
 * the answer that was kept. Thread-safe.
 */
final class AnswerResults {
  /** Scheme of the address of an output that is inside a kept answer. */
  private static final String INSIDE = "answer";

  private final Outputs outputs;
  private final KeptAnswers kept;
  private final Map<String, JsonNode> base;

  AnswerResults(Outputs outputs, KeptAnswers kept, Map<String, JsonNode> base) {
    this.outputs = outputs;
    this.kept = kept;
    this.base = Map.copyOf(base);
  }

  void keep(String id, byte[] answer) throws IOException {
    kept.keep(id, answer);
  }

  /** Whether the answer of a create that carried this key is here. */
  boolean has(String key) {
    return kept.find(key).isPresent();
  }

  StatusResult status(String id) {
    Optional<JsonNode> output = kept.find(id).flatMap(bytes -> first(outputs, bytes, base));
    if (output.isEmpty()) {
      return new StatusResult.Unavailable("the answer that held its output is not here any more");
    }
    Optional<OutputRef> ref =
        output.get().path("base64").isTextual()
            ? Optional.of(inside(id, output.get()))
            : Statuses.output(output.get());
    return new StatusResult.Status(TaskState.SUCCEEDED, ref, Optional.empty());
  }

  /** The first output of an answer; empty if there is none. */
  static Optional<JsonNode> first(Outputs outputs, byte[] answer, Map<String, JsonNode> base) {
    Optional<JsonNode> json = PartialJson.whole(answer);
    if (json.isEmpty()) {
      return Optional.empty();
    }
    HttpAnswer as = HttpAnswer.of(200, Map.of(), answer, BodyEnd.WHOLE, "");
    Map<String, JsonNode> variables = new HashMap<>(Answers.variables(base, as));
    List<JsonNode> all = outputs.from().all(json.get(), variables);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getFirst());
  }

  private static OutputRef inside(String id, JsonNode output) {
    JsonNode type = output.path("content_type");
    return new OutputRef(
        URI.create(INSIDE + "://kept/" + id),
        Optional.empty(),
        OptionalLong.empty(),
        type.isTextual() ? Optional.of(type.textValue()) : Optional.empty());
  }

  /** Whether an output is inside a kept answer. */
  static boolean isInside(OutputRef output) {
    return INSIDE.equals(output.url().getScheme());
  }

  DownloadResult download(OutputRef output, OutputSink sink, long maxBytes) throws IOException {
    String id = output.url().getRawPath().substring(1);
    Optional<String> base64 =
        kept.find(id)
            .flatMap(bytes -> first(outputs, bytes, base))
            .map(found -> found.path("base64").asText());
    if (base64.isEmpty()) {
      return new DownloadResult.Unavailable("the answer that held it is not here any more");
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64.get());
    } catch (IllegalArgumentException _) {
      return new DownloadResult.Invalid(Code.OUTPUT_INVALID, "it is not base64");
    }
    CheckedDownload download = new CheckedDownload(output, sink, maxBytes);
    boolean taken = download.write(200, bytes, 0, bytes.length);
    return download.judge(
        HttpAnswer.of(200, Map.of(), new byte[0], taken ? BodyEnd.WHOLE : BodyEnd.OVER_LIMIT, ""));
  }
}
