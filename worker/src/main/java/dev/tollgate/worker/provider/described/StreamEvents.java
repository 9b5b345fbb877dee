package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.worker.provider.AnswerText;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Redactor;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Stream.Word;
import dev.tollgate.worker.provider.jq.Jq;
import dev.tollgate.worker.provider.stream.StreamEvent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Reads single events of a stream as a descriptor says. Thread-safe; never fails. */
final class StreamEvents {
  private static final int NOTE_MAX = 200;

  private final Descriptor.Stream stream;
  private final Map<String, JsonNode> base;
  private final Supplier<Redactor> redactor;

  StreamEvents(Descriptor.Stream stream, Map<String, JsonNode> base, Supplier<Redactor> redactor) {
    this.stream = stream;
    this.base = Map.copyOf(base);
    this.redactor = redactor;
  }

  /** What an event is. */
  sealed interface Read {
    /** It is none, or tells of an error: the stream is broken here. */
    record Broken(String why) implements Read {}

    /**
     * Part of the output.
     *
     * @param json its data; absent where it is the mark of the end
     * @param note what it says of how the stream ended
     */
    record Part(StreamEvent event, Optional<JsonNode> json, Optional<String> note)
        implements Read {}

    /** Something between the parts, as a sign of life. */
    record Aside(JsonNode json) implements Read {}
  }

  /**
   * Reads an event.
   *
   * @param name as the stream gives it
   */
  Read read(String name, byte[] data) {
    Optional<String> text = utf8(data);
    if (text.isEmpty()) {
      return new Read.Broken("an event that is not UTF-8");
    }
    if (text.equals(stream.done())) {
      return new Read.Part(
          new StreamEvent(
              OptionalLong.empty(),
              Optional.empty(),
              JsonText.literal(text.get()),
              Optional.of(End.SUCCEEDED)),
          Optional.empty(),
          Optional.empty());
    }
    // what is read is what is stored: a credential is in neither
    byte[] clean = redactor.get().redact(data, false);
    Optional<JsonNode> json = PartialJson.whole(clean);
    return json.isEmpty()
        ? new Read.Broken("an event that is no JSON")
        : read(name, clean, json.get());
  }

  private Read read(String name, byte[] data, JsonNode json) {
    Map<String, JsonNode> variables = Reads.plus(base, "event", name);
    Optional<String> said = stream.word().flatMap(word -> word.text(json, variables));
    Word word = said.map(stream.words()::get).orElse(null);
    if (word == Word.BROKEN) {
      return new Read.Broken("its provider breaks it off: " + printable(said.orElse("")));
    }
    List<JsonNode> texts = stream.text().all(json, variables);
    if (texts.size() > 1 || texts.stream().anyMatch(found -> !found.isTextual())) {
      return new Read.Broken("an event whose text is none");
    }
    Optional<JsonNode> number = stream.cursor().flatMap(jq -> jq.one(json, variables));
    OptionalLong cursor = number.map(StreamEvents::whole).orElse(OptionalLong.empty());
    if (stream.cursor().isPresent() && cursor.isEmpty()) {
      return number.isEmpty() && texts.isEmpty() && word == null
          ? new Read.Aside(json)
          : new Read.Broken("a part of the output without a number");
    }
    return new Read.Part(
        new StreamEvent(
            cursor,
            texts.stream()
                .map(JsonNode::textValue)
                .filter(found -> !found.isEmpty())
                .map(JsonText::literal)
                .findFirst(),
            Bytes.copyOf(data),
            Optional.ofNullable(word).map(StreamEvents::end)),
        Optional.of(json),
        stream
            .note()
            .flatMap(note -> note.one(json, variables))
            .flatMap(Jq::asText)
            .map(this::printable));
  }

  private String printable(String text) {
    return AnswerText.printable(redactor.get().redact(text), NOTE_MAX);
  }

  private static End end(Word word) {
    return switch (word) {
      case SUCCEEDED -> End.SUCCEEDED;
      case FAILED -> End.FAILED;
      case CANCELLED -> End.CANCELLED;
      case BROKEN -> throw new IllegalStateException("a broken stream has no end");
    };
  }

  private static OptionalLong whole(JsonNode number) {
    return number.isIntegralNumber() && number.canConvertToLong()
        ? OptionalLong.of(number.longValue())
        : OptionalLong.empty();
  }

  private static Optional<String> utf8(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
  }
}
