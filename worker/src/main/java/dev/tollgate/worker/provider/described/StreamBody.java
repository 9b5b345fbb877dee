package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.worker.provider.RawAnswer;
import dev.tollgate.worker.provider.described.StreamEvents.Read;
import dev.tollgate.worker.provider.http.BodySink;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.sse.EventStreamParser;
import dev.tollgate.worker.provider.stream.StreamEvent;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The body of an answer that is to be a stream: passes its events on once its task is named, and
 * notes how it ended. Confined to the thread that reads it.
 */
final class StreamBody implements BodySink {
  private static final int EVENT_MAX = 1024 * 1024;

  /** Far more than any text: its whole output is put together in memory. */
  private static final long STREAM_MAX = 64L * 1024 * 1024;

  /** Events before the one that names the task. */
  private static final int UNNAMED_MAX = 16;

  /** No provider streams one output for longer. */
  private static final Duration LONGEST = Duration.ofHours(1);

  /** What comes behind the last word is of no interest, only that the connection ends well. */
  private static final Duration AFTER_END = Duration.ofSeconds(1);

  private final StreamEvents events;
  private final Duration idle;
  private final LongSupplier nanoTime;
  private final Hearer hearer;
  private final EventStreamParser parser = new EventStreamParser(EVENT_MAX, this::take);
  private final ByteArrayOutputStream raw = new ByteArrayOutputStream(512);
  private final List<StreamEvent> held = new ArrayList<>();
  private final long began;

  private long bytes;

  private String task;
  private boolean streaming;
  private boolean named;
  private boolean ended;
  private long endedAt;
  private boolean stopped;
  private String fault = "";
  private String note = "";

  /** Who listens. */
  interface Hearer {
    /** What names the task in an event. */
    Optional<String> id(JsonNode event);

    /** The task has a name; false if nothing more is wanted. */
    boolean named(String id);

    /** A part of the output; false if nothing more is wanted. */
    boolean event(StreamEvent event);

    /** Whether anything more is wanted; asked whenever something comes. */
    boolean goesOn();
  }

  /**
   * @param task the task that is read, if it is known already; else empty
   */
  StreamBody(
      StreamEvents events,
      Duration idle,
      LongSupplier nanoTime,
      Optional<String> task,
      Hearer hearer) {
    this.events = events;
    this.idle = idle;
    this.nanoTime = nanoTime;
    this.named = task.isPresent();
    this.task = task.orElse("");
    this.hearer = hearer;
    this.began = nanoTime.getAsLong();
  }

  @Override
  public boolean head(int status, Map<String, String> headers) {
    String type = headers.getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
    streaming = status / 100 == 2 && type.startsWith("text/event-stream");
    return true;
  }

  @Override
  public boolean write(int status, byte[] buffer, int offset, int length) {
    if (!streaming || !named) {
      raw.write(buffer, offset, Math.min(length, RawAnswer.BODY_LIMIT - raw.size()));
    }
    if (!streaming) {
      return raw.size() < RawAnswer.BODY_LIMIT;
    }
    if (ended) {
      return nanoTime.getAsLong() - endedAt < AFTER_END.toNanos();
    }
    if (named && !hearer.goesOn()) {
      stopped = true;
      return false;
    }
    bytes += length;
    if (nanoTime.getAsLong() - began > LONGEST.toNanos() || bytes > STREAM_MAX) {
      fault = "it is longer than %s or %d bytes".formatted(LONGEST, STREAM_MAX);
      return false;
    }
    try {
      return parser.feed(buffer, offset, length);
    } catch (EventStreamParser.TooLong e) {
      fault = String.valueOf(e.getMessage());
      return false;
    }
  }

  @Override
  public long patienceNanos() {
    return ended ? AFTER_END.toNanos() : named && streaming ? idle.toNanos() : 0;
  }

  /** What came before the task had a name, or the whole answer where it is no stream. */
  @Override
  public byte[] collected() {
    return raw.toByteArray();
  }

  /** Takes the end of the answer. */
  void over(HttpAnswer answer) {
    if (streaming && !stopped && fault.isEmpty()) {
      parser.end();
    }
    if (!ended && fault.isEmpty()) {
      fault =
          "it ends without a last word" + (answer.error().isEmpty() ? "" : ": " + answer.error());
    }
  }

  /** Whether the answer is a stream at all. */
  boolean isStream() {
    return streaming;
  }

  boolean isNamed() {
    return named;
  }

  boolean isEnded() {
    return ended;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Why it broke off; empty if it did not. */
  String fault() {
    return fault;
  }

  /** What was said of how it ended. */
  String note() {
    return note;
  }

  private boolean take(String name, byte[] data) {
    if (ended) {
      return true;
    }
    return switch (events.read(name, data)) {
      case Read.Broken(String why) -> {
        fault = why;
        yield false;
      }
      case Read.Aside(JsonNode json) ->
          isOwn(Optional.of(json)) && (named || name(Optional.of(json)));
      case Read.Part(StreamEvent event, Optional<JsonNode> json, Optional<String> said) -> {
        if (!isOwn(json)) {
          yield false;
        }
        note = said.orElse(note);
        held.add(event);
        yield (named || name(json)) && (!named || passOn());
      }
    };
  }

  /** Whether an event speaks of no other task than the one that is read. */
  private boolean isOwn(Optional<JsonNode> json) {
    boolean other =
        named && json.flatMap(hearer::id).filter(said -> !said.equals(task)).isPresent();
    if (other) {
      fault = "an event of another task";
    }
    return !other;
  }

  /** Whether to go on. */
  private boolean name(Optional<JsonNode> json) {
    Optional<String> id = json.flatMap(hearer::id);
    if (id.isEmpty()) {
      boolean endedUnnamed = !held.isEmpty() && held.getLast().end().isPresent();
      if (endedUnnamed || held.size() > UNNAMED_MAX) {
        fault = "no event names its task";
        return false;
      }
      return true;
    }
    named = true;
    task = id.get();
    stopped = !hearer.named(task);
    return !stopped;
  }

  private boolean passOn() {
    for (StreamEvent event : held) {
      ended = event.end().isPresent();
      endedAt = nanoTime.getAsLong();
      if (!hearer.event(event)) {
        stopped = !ended;
        held.clear();
        return false;
      }
      if (ended) {
        break;
      }
    }
    held.clear();
    return true;
  }
}
