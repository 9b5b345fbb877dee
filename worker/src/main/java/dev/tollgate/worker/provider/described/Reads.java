package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.tollgate.worker.provider.CancelResult;
import dev.tollgate.worker.provider.Credentials;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.provider.described.ReadAnswers.Read;
import dev.tollgate.worker.provider.described.ReadAnswers.Whole;
import dev.tollgate.worker.provider.described.Requests.Built;
import dev.tollgate.worker.provider.described.Requests.NotBuilt;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Call;
import dev.tollgate.worker.provider.descriptor.Descriptor.Missing;
import dev.tollgate.worker.provider.descriptor.Descriptor.Outputs;
import dev.tollgate.worker.provider.http.Collector;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.http.HttpCall;
import dev.tollgate.worker.provider.http.HttpEngine;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The calls that read, and the one that cancels. Thread-safe; one try each. */
final class Reads {
  /** A page of tasks with what was asked for, or a status with an output inside. */
  static final int BYTES_MAX = 8 * 1024 * 1024;

  private final Descriptor descriptor;
  private final Requests requests;
  private final HttpEngine engine;
  private final Map<String, JsonNode> base;
  private final Credentials credentials;
  private final ReadAnswers answers;
  private final LongSupplier nanoTime;
  private final Duration patience;

  Reads(
      Descriptor descriptor,
      Requests requests,
      HttpEngine engine,
      Map<String, JsonNode> base,
      Credentials credentials,
      LongSupplier nanoTime,
      Duration patience) {
    this.descriptor = descriptor;
    this.requests = requests;
    this.engine = engine;
    this.base = Map.copyOf(base);
    this.credentials = credentials;
    this.answers = new ReadAnswers(descriptor, base, credentials::redactor);
    this.nanoTime = nanoTime;
    this.patience = patience;
  }

  StatusResult status(String remoteId) {
    Descriptor.Status asked = descriptor.status().orElseThrow();
    return switch (read(asked.call(), id(remoteId), asked.missing())) {
      case Read.Failed failed -> new StatusResult.Unavailable(failed.reason());
      case Read.Throttled(Duration retryAfter) -> new StatusResult.Throttled(retryAfter);
      case Read.NoSuchTask _ -> new StatusResult.NotFound();
      case Read.Ok(Whole whole) -> status(whole, remoteId);
    };
  }

  /** What a task says of itself, in an answer of its own or in one about many. */
  StatusResult status(Whole task, String remoteId) {
    Descriptor.Status asked = descriptor.status().orElseThrow();
    Statuses statuses = new Statuses(asked, credentials.redactor());
    Whole named = new Whole(task.json(), plus(task.variables(), "id", remoteId));
    StatusResult result = statuses.read(named, remoteId);
    return needsOutputs(result) ? withOutputs(remoteId, named, statuses) : result;
  }

  private boolean needsOutputs(StatusResult result) {
    return descriptor.outputs().flatMap(Outputs::call).isPresent()
        && result instanceof StatusResult.Status status
        && status.state() == TaskState.SUCCEEDED;
  }

  /** Where outputs have a call of their own: a task is not done for us until they can be named. */
  private StatusResult withOutputs(String remoteId, Whole task, Statuses statuses) {
    Map<String, JsonNode> variables = id(remoteId);
    variables.put("task", task.json());
    Call call = descriptor.outputs().flatMap(Outputs::call).orElseThrow();
    return switch (read(call, variables, Optional.empty())) {
      case Read.Ok(Whole whole) ->
          new StatusResult.Status(
              TaskState.SUCCEEDED,
              statuses.output(new Whole(whole.json(), plus(whole.variables(), "id", remoteId))),
              Optional.empty());
      case Read.Throttled(Duration retryAfter) -> new StatusResult.Throttled(retryAfter);
      case Read.NoSuchTask _ -> new StatusResult.Unavailable("its outputs are not there");
      case Read.Failed failed -> new StatusResult.Unavailable("its outputs: " + failed.reason());
    };
  }

  CancelResult cancel(String remoteId) {
    if (descriptor.cancel().isEmpty()) {
      return new CancelResult.NotSupported();
    }
    try {
      HttpAnswer answer =
          send(requests.build(descriptor.cancel().get().call(), nothing(), id(remoteId)));
      int status = answer.status().orElse(0);
      if (descriptor.cancel().get().done().contains(status)) {
        return new CancelResult.Cancelled();
      }
      return descriptor.cancel().get().tooLate().contains(status)
          ? new CancelResult.TooLate()
          : new CancelResult.Unavailable(answers.unusable(answer));
    } catch (NotBuilt e) {
      return new CancelResult.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  /** Makes a call and reads its answer. */
  Read read(Call call, Map<String, JsonNode> variables, Optional<Missing> missing) {
    HttpAnswer answer;
    try {
      answer = send(requests.build(call, nothing(), variables));
    } catch (NotBuilt e) {
      return new Read.Failed(String.valueOf(e.getMessage()), false, false, false);
    }
    return answers.judge(answer, missing);
  }

  private HttpAnswer send(Built built) {
    long answerBy = nanoTime.getAsLong() + patience.toNanos();
    HttpCall call =
        HttpCall.of(
            built.method(), built.target(), built.headers(), built.body(), answerBy, answerBy);
    return engine.send(call, new Collector(BYTES_MAX));
  }

  private Map<String, JsonNode> id(String remoteId) {
    return plus(base, "id", remoteId);
  }

  static Map<String, JsonNode> plus(Map<String, JsonNode> variables, String name, String value) {
    Map<String, JsonNode> more = new HashMap<>(variables);
    more.put(name, TextNode.valueOf(value));
    return more;
  }

  private static JsonNode nothing() {
    return NullNode.getInstance();
  }
}
