package dev.tollgate.loadtest.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * What the sandbox really did, read from its ledger file. Immutable: the state of the file at the
 * time of the read, which may be taken while a sandbox writes.
 */
public final class Ledger {

  /**
   * One create request.
   *
   * @param n its number
   * @param at when it came
   * @param kind the kind's path, such as {@code keyed}
   * @param fault the fault it met, with its amount; null when it was refused before it met any
   * @param task id of the task that it made, or that its key had already
   * @param created whether this request made the task
   * @param key idempotency key
   * @param ref client reference
   * @param bodySha256 hex digest of the body
   * @param input the input as sent
   * @param answered whether the whole answer was handed to the connection; null when not known
   *     (yet)
   * @param status the status that was sent or cut short; null when there was none or is not known
   */
  public record Request(
      long n,
      Instant at,
      String kind,
      @Nullable String fault,
      @Nullable String task,
      boolean created,
      @Nullable String key,
      @Nullable String ref,
      String bodySha256,
      @Nullable String input,
      @Nullable Boolean answered,
      @Nullable Integer status) {
    private Request with(boolean whole, @Nullable Integer sent) {
      return new Request(
          n, at, kind, fault, task, created, key, ref, bodySha256, input, whole, sent);
    }
  }

  /**
   * One task.
   *
   * @param n number of the request that made it
   * @param createdAt when it was made, in milliseconds of the sandbox's clock
   * @param visibleAt from when on reads show it
   * @param fails whether it ends as failed
   * @param stream what is streamed of it; absent where it is no text
   * @param answered whether some request, the first or a re-send, got a whole 2xx answer with its
   *     id
   */
  public record Task(
      String id,
      String kind,
      long n,
      @Nullable String key,
      @Nullable String ref,
      @Nullable String input,
      Instant createdAt,
      Instant visibleAt,
      boolean fails,
      @Nullable Streamed stream,
      boolean answered) {
    private Task withAnswer() {
      return new Task(id, kind, n, key, ref, input, createdAt, visibleAt, fails, stream, true);
    }
  }

  /**
   * A text as its task has it.
   *
   * @param events all of its stream
   * @param sha256 hex digest of the text in UTF-8
   */
  public record Streamed(int events, String sha256) {}

  private final List<Request> requests;
  private final List<Task> tasks;
  private final long resumed;

  private Ledger(List<Request> requests, List<Task> tasks, long resumed) {
    this.requests = List.copyOf(requests);
    this.tasks = List.copyOf(tasks);
    this.resumed = resumed;
  }

  /**
   * Reads a ledger. A last line without its line break is being written, or was when the sandbox
   * died, and is left out.
   *
   * @throws LedgerException when the file cannot be read or another line is damaged
   */
  public static Ledger read(Path file) {
    Reading reading = new Reading();
    try (InputStream in = Files.newInputStream(file)) {
      readLines(in, reading);
    } catch (IOException | JacksonException | IllegalArgumentException e) {
      throw new LedgerException(
          "ledger %s is damaged or unreadable after line %d; nothing can be concluded from it"
              .formatted(file, reading.lines),
          e);
    }
    return reading.finished();
  }

  private static void readLines(InputStream in, Reading reading) throws IOException {
    byte[] buffer = new byte[1 << 20];
    int held = 0;
    while (true) {
      if (held == buffer.length) {
        buffer = Arrays.copyOf(buffer, buffer.length * 2);
      }
      int read = in.read(buffer, held, buffer.length - held);
      if (read < 0) {
        return;
      }
      int end = held + read;
      int start = 0;
      for (int i = held; i < end; i++) {
        if (buffer[i] == '\n') {
          reading.line(new String(buffer, start, i - start, StandardCharsets.UTF_8));
          start = i + 1;
        }
      }
      held = end - start;
      System.arraycopy(buffer, start, buffer, 0, held);
    }
  }

  /** Every create request, by number. */
  public List<Request> requests() {
    return requests;
  }

  /** Every task, in the order in which their lines were written. */
  public List<Task> tasks() {
    return tasks;
  }

  /** How often a stream was sent again from one of its events on. */
  public long resumed() {
    return resumed;
  }

  /** Create requests by kind. */
  public Map<String, Long> requestCounts() {
    Map<String, Long> counts = new TreeMap<>();
    requests.forEach(request -> counts.merge(request.kind, 1L, Long::sum));
    return counts;
  }

  /** How often each fault fired, by its name without amount; {@code accept} is among them. */
  public Map<String, Long> faultsFired() {
    Map<String, Long> counts = new TreeMap<>();
    requests.forEach(request -> count(counts, request));
    return counts;
  }

  /** The same for one kind. */
  public Map<String, Long> faultsFired(Kind kind) {
    Map<String, Long> counts = new TreeMap<>();
    requests.stream()
        .filter(request -> request.kind.equals(kind.path()))
        .forEach(request -> count(counts, request));
    return counts;
  }

  private static void count(Map<String, Long> counts, Request request) {
    if (request.fault != null) {
      counts.merge(Fault.parse(request.fault).family().text(), 1L, Long::sum);
    }
  }

  /** The lines so far. */
  private static final class Reading {
    private record Answer(boolean answered, @Nullable Integer status) {
      boolean carriesId() {
        return answered && status != null && status / 100 == 2;
      }
    }

    private final List<Request> requests = new ArrayList<>();
    private final List<Task> tasks = new ArrayList<>();
    private final Map<Long, Answer> answers = new HashMap<>();
    private long resumed;
    private int lines;

    void line(String text) {
      JsonNode line = Json.MAPPER.readTree(text);
      switch (line.path("event").asString()) {
        case "request" -> requestLine(line, text);
        case "answer" -> {
          JsonNode status = line.path("status");
          answers.put(
              line.path("n").asLong(),
              new Answer(
                  line.path("answered").asBoolean(), status.isNumber() ? status.asInt() : null));
        }
        case "resumed" -> resumed++;
        default -> throw new IllegalArgumentException("line of an unknown event");
      }
      lines++;
    }

    private void requestLine(JsonNode line, String text) {
      Request request =
          new Request(
              line.path("n").asLong(),
              Instant.parse(line.path("at").asString()),
              line.path("kind").asString(),
              text(line, "fault"),
              text(line, "task"),
              line.path("created").asBoolean(),
              text(line, "key"),
              text(line, "ref"),
              line.path("body_sha256").asString(),
              input(line, text),
              null,
              null);
      requests.add(request);
      if (request.created && request.task != null) {
        tasks.add(task(request, request.task, line));
      }
    }

    /** The last property of the line, as its own text: a parsed tree would alter numbers. */
    private static @Nullable String input(JsonNode line, String text) {
      String name = "\"input\":";
      return line.hasNonNull("input")
          ? text.substring(
              text.indexOf(name, text.indexOf("\"body_sha256\":")) + name.length(),
              text.length() - 1)
          : null;
    }

    private static Task task(Request request, String id, JsonNode line) {
      Instant createdAt = Instant.parse(line.path("created_at").asString());
      String visibleAt = text(line, "visible_at");
      JsonNode stream = line.path("stream");
      return new Task(
          id,
          request.kind,
          request.n,
          request.key,
          request.ref,
          request.input,
          createdAt,
          visibleAt == null ? createdAt : Instant.parse(visibleAt),
          line.path("fails").asBoolean(false),
          stream.isObject()
              ? new Streamed(stream.path("events").asInt(), stream.path("sha256").asString())
              : null,
          false);
    }

    private static @Nullable String text(JsonNode line, String name) {
      JsonNode value = line.path(name);
      return value.isString() ? value.asString() : null;
    }

    Ledger finished() {
      Set<String> answeredIds = new HashSet<>();
      requests.replaceAll(
          request -> {
            Answer answer = answers.get(request.n);
            if (answer != null && answer.carriesId() && request.task != null) {
              answeredIds.add(request.task);
            }
            return answer == null ? request : request.with(answer.answered, answer.status);
          });
      tasks.replaceAll(task -> answeredIds.contains(task.id) ? task.withAnswer() : task);
      requests.sort(Comparator.comparingLong(Request::n));
      return new Ledger(requests, tasks, resumed);
    }
  }
}
