package dev.tollgate.loadtest.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A provider of responses and chat completions that cuts its streams at any byte. A stream that is
 * resumed goes on from where it is asked to, sometimes from before that. Counts what it creates.
 * Thread-safe.
 */
final class StreamingProvider implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

  /** Answers about one task that may be cut. */
  private static final int CUTS_MAX = 4;

  private final ServerSocket listener;
  private final int events;
  private final double cuts;
  private final Random random;
  private final Map<String, Task> tasks = new ConcurrentHashMap<>();
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger resumed = new AtomicInteger();
  private final AtomicInteger wasCut = new AtomicInteger();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

  /**
   * @param events of each stream, the first and the last included
   * @param cuts share of the answers that are cut
   */
  StreamingProvider(int events, double cuts, long seed) {
    this.events = events;
    this.cuts = cuts;
    this.random = new Random(seed);
    try {
      this.listener = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::acceptAll);
  }

  /** A stream that was paid for. */
  record Task(String id, String prompt, boolean chat, AtomicInteger answers) {
    /** The data of its events; of a chat without the mark of the end. */
    List<String> data(int events) {
      return IntStream.range(0, chat ? events - 1 : events)
          .mapToObj(n -> chat ? completion(n) : response(n, events))
          .toList();
    }

    private String completion(int n) {
      return "{\"id\":\"%s\",\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}"
          .formatted(id, text(n));
    }

    private String response(int n, int events) {
      if (n == 0 || n == events - 1) {
        return "{\"type\":\"%s\",\"sequence_number\":%d,\"response\":{\"id\":\"%s\"}}"
            .formatted(n == 0 ? "response.created" : "response.completed", n, id);
      }
      return "{\"type\":\"response.output_text.delta\",\"sequence_number\":%d,\"delta\":\"%s\"}"
          .formatted(n, text(n));
    }

    private String text(int n) {
      return n % 7 == 3 ? "\\ud83d" : n % 7 == 4 ? "\\ude00" : "caf\u00e9 " + n + " of " + id + " ";
    }
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  List<Task> tasks() {
    return List.copyOf(tasks.values());
  }

  int created() {
    return created.get();
  }

  int resumed() {
    return resumed.get();
  }

  int wasCut() {
    return wasCut.get();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      for (String head = head(in); !head.isEmpty(); head = head(in)) {
        String line = head.substring(0, head.indexOf('\r'));
        boolean whole =
            line.startsWith("POST ")
                ? create(line, in.readNBytes(length(head)), socket)
                : resume(line, socket);
        if (!whole) {
          return;
        }
      }
    } catch (IOException _) {
      // the peer went away
    }
  }

  private boolean create(String line, byte[] body, Socket socket) throws IOException {
    JsonNode request = JSON.readTree(body);
    boolean chat = line.contains("/chat/");
    String prompt =
        chat ? request.at("/messages/0/content").asString("") : request.path("input").asString("");
    Task task =
        new Task(
            (chat ? "chatcmpl-" : "resp_") + created.incrementAndGet(),
            prompt,
            chat,
            new AtomicInteger());
    tasks.put(task.id, task);
    return stream(task, 0, 1, socket);
  }

  private boolean resume(String line, Socket socket) throws IOException {
    resumed.incrementAndGet();
    String id = line.substring(line.indexOf("resp_"), line.indexOf('?'));
    int after = line.indexOf("starting_after=");
    int from =
        after < 0 ? 0 : Integer.parseInt(line.substring(after + 15, line.indexOf(' ', after))) + 1;
    int back = number(4) == 0 ? number(20) : 0;
    return stream(Objects.requireNonNull(tasks.get(id)), Math.max(0, from - back), 0, socket);
  }

  /** Writes the events from one on, or as many of their bytes as its cut leaves. */
  private boolean stream(Task task, int from, int least, Socket socket) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    List<String> data = task.data(events);
    int first = 0;
    for (int n = from; n < data.size(); n++) {
      text.writeBytes(("event: x\ndata: " + data.get(n) + "\n\n").getBytes(UTF_8));
      first = n == from + least - 1 ? text.size() : first;
    }
    if (task.chat) {
      text.writeBytes("data: [DONE]\n\n".getBytes(UTF_8));
    }
    byte[] all = text.toByteArray();
    // one that were cut for ever would only be waited for
    boolean cut = task.answers.incrementAndGet() <= CUTS_MAX && isCut();
    // the task is named at least: what comes before that is another test's
    int end = cut ? first + number(all.length - first) : all.length;
    OutputStream out = socket.getOutputStream();
    out.write(HEAD.getBytes(ISO_8859_1));
    for (int at = 0; at < end; ) {
      int piece = Math.min(end - at, 1 + number(4000));
      out.write((Integer.toHexString(piece) + "\r\n").getBytes(ISO_8859_1));
      out.write(all, at, piece);
      out.write("\r\n".getBytes(ISO_8859_1));
      out.flush();
      at += piece;
    }
    if (cut) {
      wasCut.incrementAndGet();
      return false;
    }
    out.write("0\r\n\r\n".getBytes(ISO_8859_1));
    out.flush();
    return true;
  }

  private boolean isCut() {
    synchronized (random) {
      return random.nextDouble() < cuts;
    }
  }

  private int number(int bound) {
    synchronized (random) {
      return bound <= 0 ? 0 : random.nextInt(bound);
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int matched = 0;
    while (matched < 4) {
      int b = in.read();
      if (b < 0) {
        return "";
      }
      head.write(b);
      matched = b == (matched % 2 == 0 ? '\r' : '\n') ? matched + 1 : 0;
    }
    return head.toString(ISO_8859_1);
  }

  private static int length(String head) {
    return head.lines()
        .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
        .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
