package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.stream.StreamEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The examples of creates whose answers are streams. Confined to one check. */
final class StreamExamples {
  private final Examples examples;
  private final Descriptor.Stream stream;
  private final Answers reader;

  StreamExamples(Examples examples, Descriptor.Stream stream, Answers reader) {
    this.examples = examples;
    this.stream = stream;
    this.reader = reader;
  }

  /** The verdict of a streamed answer, whose texts and end are compared; empty if it is none. */
  Optional<Verdict> run(HttpAnswer answer, JsonNode example, String at) {
    Listener listener = new Listener();
    StreamBody body =
        new StreamBody(
            new StreamEvents(stream, examples.base, examples.config.credentials()::redactor),
            stream.idle(),
            () -> 0,
            Optional.empty(),
            listener);
    int status = answer.status().orElse(0);
    body.head(status, answer.headers());
    if (!body.isStream()) {
      return Optional.empty();
    }
    body.write(status, answer.body(), 0, answer.body().length);
    body.over(answer);
    if (!body.isNamed()) {
      return Optional.of(new Verdict.Unknown(body.fault()));
    }
    List<String> said = new ArrayList<>();
    example.path("chunks").forEach(text -> said.add(text.asText()));
    examples.expect(at, "the streamed text", said, listener.texts);
    examples.expect(
        at,
        "the end of the stream",
        example.path("end").asText(),
        listener.end.map(End::word).orElse("cut"));
    return Optional.of(new Verdict.Accepted(listener.id, ""));
  }

  private final class Listener implements StreamBody.Hearer {
    private final List<String> texts = new ArrayList<>();
    private Optional<End> end = Optional.empty();
    private String id = "";

    @Override
    public Optional<String> id(JsonNode event) {
      return reader.streamId(event, Examples.key());
    }

    @Override
    public boolean goesOn() {
      return true;
    }

    @Override
    public boolean named(String name) {
      id = name;
      return true;
    }

    @Override
    public boolean event(StreamEvent event) {
      event
          .text()
          .map(Bytes::toByteArray)
          .flatMap(PartialJson::whole)
          .ifPresent(text -> texts.add(text.asText()));
      end = event.end();
      return true;
    }
  }
}
