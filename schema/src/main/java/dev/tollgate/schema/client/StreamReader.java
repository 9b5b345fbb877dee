package dev.tollgate.schema.client;

import dev.tollgate.schema.client.StreamEvents.Event;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one operation's stream from its address, from its first chunk or a later one to its end: a
 * connection that is cut is made again with the id of the last chunk, what comes twice is dropped,
 * and a gap is an error. Blocks the calling thread, which may be a virtual one; several may read at
 * once through one reader. Immutable.
 */
public final class StreamReader {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final Pattern OFFSET = Pattern.compile("[0-9]{1,10}");

  /** A chunk is smaller, with its text beside it. */
  private static final int EVENT_BYTES_MAX = 16 << 20;

  private final HttpClient http;
  private final Patience patience;

  /**
   * How long it is waited, and for what.
   *
   * @param silence of a connection after which it counts as dead: longer than the server's
   *     heartbeat
   * @param pause before the first try after a cut, at most; doubled with each that brings nothing
   * @param pauseMax which it does not exceed
   * @param tries in a row that bring no chunk and not even a connection, after which it is given up
   */
  public record Patience(Duration silence, Duration pause, Duration pauseMax, int tries) {
    /** A minute's silence; tries for about a quarter of an hour. */
    public static final Patience USUAL =
        new Patience(Duration.ofSeconds(60), Duration.ofMillis(500), Duration.ofSeconds(30), 40);
  }

  /**
   * A reader.
   *
   * @param http shared by as many readers as one likes
   */
  public StreamReader(HttpClient http, Patience patience) {
    this.http = http;
    this.patience = patience;
  }

  /** A reader with a client of its own. */
  public static StreamReader usual() {
    return new StreamReader(
        HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build(), Patience.USUAL);
  }

  /**
   * Reads a stream from its beginning until its operation ends.
   *
   * @throws ClientException.NoStream if there is no such stream, or it has a gap
   * @throws ClientException.Unreachable if it could not be read for too long
   */
  public StreamEnd read(URI address, StreamListener listener) throws InterruptedException {
    return read(address, 0, listener);
  }

  /**
   * Reads a stream from a chunk on.
   *
   * @param from the offset of the first chunk that is wanted
   */
  public StreamEnd read(URI address, int from, StreamListener listener)
      throws InterruptedException {
    Progress progress = new Progress(from, listener);
    int failures = 0;
    while (true) {
      int before = progress.next;
      String why;
      try {
        StreamEnd end = connection(address, progress);
        if (end != null) {
          return end;
        }
        failures = 0; // it lasted as long as one may, or its server is going
        why = "the connection is over";
      } catch (IOException e) {
        failures = progress.next > before ? 1 : failures + 1;
        why = e.toString();
        if (failures > patience.tries) {
          throw new ClientException.Unreachable("the stream cannot be read: " + e, e);
        }
      }
      listener.again(failures, why);
      pause(failures);
    }
  }

  /** Random, so that many who were cut off together do not come back together. */
  private void pause(int failures) throws InterruptedException {
    long doubled = patience.pause.toMillis() << Math.clamp(failures - 1L, 0, 20);
    long most = Math.min(doubled, patience.pauseMax.toMillis());
    TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(most + 1));
  }

  /** How the stream ended; null if the connection ended before it. */
  private @Nullable StreamEnd connection(URI address, Progress progress)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .version(HttpClient.Version.HTTP_1_1)
            .header("Accept", "text/event-stream");
    if (progress.next > 0) {
      request.header("Last-Event-ID", String.valueOf(progress.next - 1));
    }
    HttpResponse<StreamBody> response = send(request.build());
    try (StreamBody body = response.body()) {
      int status = response.statusCode();
      if (status >= 400 && status < 500 && status != 408 && status != 429) {
        throw new ClientException.NoStream(
            status == NOT_FOUND
                ? "there is no stream at this address"
                : "the stream's server refused: status " + status);
      }
      if (status != OK) {
        throw new IOException("the stream's server answered " + status);
      }
      StreamEvents events = new StreamEvents(EVENT_BYTES_MAX, progress::take);
      while (progress.end == null) {
        List<ByteBuffer> piece = body.next(patience.silence);
        if (piece == null) {
          return null;
        }
        for (ByteBuffer bytes : piece) {
          events.add(bytes);
        }
      }
      return progress.end;
    }
  }

  /** The answer's head, in time. A timeout of the request itself may be one of its body, too. */
  private HttpResponse<StreamBody> send(HttpRequest request)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<StreamBody>> sent =
        http.sendAsync(request, _ -> new StreamBody());
    try {
      return sent.get(patience.silence.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException("no answer for " + patience.silence, e);
    } catch (ExecutionException e) {
      throw new IOException("no connection: " + e.getCause(), e);
    } finally {
      sent.cancel(true);
    }
  }

  /** How far one reader is. Confined to its thread. */
  private static final class Progress {
    private final StreamListener listener;
    private int next;
    private @Nullable StreamEnd end;

    Progress(int from, StreamListener listener) {
      this.next = from;
      this.listener = listener;
    }

    private void take(Event event) {
      switch (event.type()) {
        case "" -> chunk(event);
        case "waiting" -> {
          StreamMembers members = StreamMembers.of(event.data());
          listener.waiting(state(members), members.text("reason"), members.text("review"));
        }
        case "end" -> {
          StreamMembers members = StreamMembers.of(event.data());
          end = new StreamEnd(state(members), members.text("reason"), next);
        }
        default -> {} // what a later version tells
      }
    }

    private static String state(StreamMembers members) {
      return Objects.requireNonNullElse(members.text("state"), "");
    }

    private void chunk(Event event) {
      StreamMembers members = StreamMembers.of(event.data());
      byte[] given = members.raw("offset");
      byte[] data = members.raw("data");
      String id = event.id();
      if (given == null
          || data == null
          || id == null
          || !OFFSET.matcher(id).matches()
          || !Arrays.equals(given, id.getBytes(StandardCharsets.US_ASCII))) {
        throw new ClientException.NoStream("an event is no chunk of a stream, by its id " + id);
      }
      long offset = Long.parseLong(id);
      if (offset < next) {
        return; // it was here before the connection was cut
      }
      if (offset > next) {
        throw new ClientException.NoStream(
            "the stream has a gap: chunk %d came where %d is next".formatted(offset, next));
      }
      StreamedChunk chunk =
          new StreamedChunk(next, members.text("text"), members.text("end"), data);
      next++;
      listener.chunk(chunk);
    }
  }
}
