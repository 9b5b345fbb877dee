package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.provider.VerdictRules.Judgement;
import dev.tollgate.worker.provider.described.Requests.Built;
import dev.tollgate.worker.provider.described.Requests.NotBuilt;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Missing;
import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.http.HttpCall;
import dev.tollgate.worker.provider.http.HttpEngine;
import dev.tollgate.worker.provider.stream.StreamEvent;
import dev.tollgate.worker.provider.stream.StreamReader;
import dev.tollgate.worker.provider.stream.StreamResult;
import dev.tollgate.worker.provider.stream.Streams;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Creates of a described provider whose answers are streams. Thread-safe. */
final class DescribedStreams implements Streams {
  private final Descriptor descriptor;
  private final Descriptor.Stream stream;
  private final Creates creates;
  private final Requests requests;
  private final HttpEngine submits;
  private final HttpEngine others;
  private final StreamEvents events;
  private final Answers answers;
  private final Map<String, JsonNode> base;
  private final LongSupplier nanoTime;
  private final Duration patience;

  /** What creates have in common, streamed or not. */
  interface Creates {
    Built build(Submission submission) throws NotBuilt;

    /** Judges an answer that is no stream. */
    Judgement judge(HttpAnswer answer, Optional<JsonNode> request, Submission submission);

    SubmitResult result(Submission submission, HttpAnswer answer, Judgement judgement);
  }

  /**
   * @param patience how long the head of a resumed stream is waited for
   */
  DescribedStreams(
      Descriptor descriptor,
      Descriptor.Stream stream,
      Creates creates,
      Requests requests,
      HttpEngine submits,
      HttpEngine others,
      StreamEvents events,
      Answers answers,
      Map<String, JsonNode> base,
      LongSupplier nanoTime,
      Duration patience) {
    this.descriptor = descriptor;
    this.stream = stream;
    this.creates = creates;
    this.requests = requests;
    this.submits = submits;
    this.others = others;
    this.events = events;
    this.answers = answers;
    this.base = Map.copyOf(base);
    this.nanoTime = nanoTime;
    this.patience = patience;
  }

  @Override
  public StreamResult open(Submission submission, StreamReader reader) {
    Built built;
    try {
      built = creates.build(submission);
    } catch (NotBuilt e) {
      HttpAnswer unsent = HttpAnswer.notSent("the request was not built: " + e.getMessage());
      return notAccepted(submission, unsent, creates.judge(unsent, Optional.empty(), submission));
    }
    Opened opened = new Opened(submission, reader);
    StreamBody body = new StreamBody(events, stream.idle(), nanoTime, Optional.empty(), opened);
    opened.body = body;
    HttpCall call =
        HttpCall.of(
            built.method(),
            built.target(),
            accepting(built.headers()),
            built.body(),
            submission.sendNotAfterNanos(),
            submission.answerByNanos());
    HttpAnswer answer = submits.send(call, body);
    body.over(answer);
    if (opened.failure != null) {
      throw opened.failure;
    }
    if (body.isNamed()) {
      return read(body);
    }
    if (body.isStream()) {
      Verdict unknown = new Verdict.Unknown("a stream that names no task: " + body.fault());
      return notAccepted(submission, answer, new Judgement(unknown, Optional.empty()));
    }
    Judgement judgement = creates.judge(answer, built.json(), submission);
    SubmitResult result = creates.result(submission, answer, judgement);
    if (!(result.verdict() instanceof Verdict.Accepted)) {
      return new StreamResult.NotAccepted(result);
    }
    return reader.accepted(result)
        ? new StreamResult.Cut("the answer is no stream")
        : new StreamResult.Stopped();
  }

  private StreamResult notAccepted(Submission submission, HttpAnswer answer, Judgement judgement) {
    return new StreamResult.NotAccepted(creates.result(submission, answer, judgement));
  }

  @Override
  public boolean consecutive() {
    return stream.consecutive();
  }

  @Override
  public boolean resumable() {
    return stream.resume().isPresent();
  }

  @Override
  public StreamResult resume(String remoteId, OptionalLong cursor, StreamReader reader) {
    Map<String, JsonNode> variables = Reads.plus(base, "id", remoteId);
    variables.put(
        "cursor",
        cursor.isPresent() ? LongNode.valueOf(cursor.getAsLong()) : NullNode.getInstance());
    Built built;
    try {
      built = requests.build(stream.resume().orElseThrow(), NullNode.getInstance(), variables);
    } catch (NotBuilt e) {
      return new StreamResult.Cut("it cannot be asked for: " + e.getMessage());
    }
    StreamBody body =
        new StreamBody(
            events, stream.idle(), nanoTime, Optional.of(remoteId), new Resumed(reader, answers));
    long answerBy = nanoTime.getAsLong() + patience.toNanos();
    HttpAnswer answer =
        others.send(
            HttpCall.of(
                built.method(),
                built.target(),
                accepting(built.headers()),
                built.body(),
                answerBy,
                answerBy),
            body);
    body.over(answer);
    if (body.isStream()) {
      return read(body);
    }
    return isMissing(answer)
        ? new StreamResult.Missing()
        : new StreamResult.Cut(
            answer.status().isPresent()
                ? "status " + answer.status().getAsInt() + " to its resumption"
                : answer.error());
  }

  private boolean isMissing(HttpAnswer answer) {
    Missing missing = stream.missing().orElse(null);
    if (missing == null || !missing.statuses().contains(answer.status().orElse(0))) {
      return false;
    }
    Map<String, JsonNode> variables = Answers.variables(base, answer);
    Optional<JsonNode> json = PartialJson.whole(answer.body());
    Optional<String> code =
        json.flatMap(
            root -> Answers.code(descriptor.create().errorCode(), root, asCreate(variables)));
    return json.isPresent()
        && (missing.codes().isEmpty() || code.filter(missing.codes()::contains).isPresent());
  }

  /** The code of an error is read by the expression for creates. */
  private static Map<String, JsonNode> asCreate(Map<String, JsonNode> variables) {
    Map<String, JsonNode> all = new HashMap<>(variables);
    all.put("request", NullNode.getInstance());
    all.put("key", NullNode.getInstance());
    return all;
  }

  private static StreamResult read(StreamBody body) {
    if (body.isEnded()) {
      return new StreamResult.Ended(body.note());
    }
    return body.isStopped() ? new StreamResult.Stopped() : new StreamResult.Cut(body.fault());
  }

  private static Map<String, String> accepting(Map<String, String> headers) {
    Map<String, String> all = new HashMap<>(headers);
    all.put("Accept", "text/event-stream");
    return all;
  }

  /** Listens to a create's own stream. Confined to the thread that reads it. */
  private final class Opened implements StreamBody.Hearer {
    private final Submission submission;
    private final StreamReader reader;
    private @Nullable StreamBody body;
    private @Nullable RuntimeException failure;

    Opened(Submission submission, StreamReader reader) {
      this.submission = submission;
      this.reader = reader;
    }

    @Override
    public Optional<String> id(JsonNode event) {
      return answers.streamId(event, submission.submissionKey());
    }

    @Override
    public boolean goesOn() {
      return reader.goesOn();
    }

    @Override
    public boolean named(String id) {
      byte[] raw = body == null ? new byte[0] : body.collected();
      HttpAnswer head =
          HttpAnswer.of(200, Map.of("content-type", "text/event-stream"), raw, BodyEnd.CUT, "");
      Judgement accepted = new Judgement(new Verdict.Accepted(id, "a stream"), Optional.of(id));
      try {
        return reader.accepted(creates.result(submission, head, accepted));
      } catch (RuntimeException e) {
        failure = e; // the engine would take it for a cut
        return false;
      }
    }

    @Override
    public boolean event(StreamEvent event) {
      return reader.event(event);
    }
  }

  private record Resumed(StreamReader reader, Answers answers) implements StreamBody.Hearer {
    @Override
    public Optional<String> id(JsonNode event) {
      return answers.streamId(event, "");
    }

    @Override
    public boolean goesOn() {
      return reader.goesOn();
    }

    @Override
    public boolean named(String id) {
      return true;
    }

    @Override
    public boolean event(StreamEvent event) {
      return reader.event(event);
    }
  }
}
