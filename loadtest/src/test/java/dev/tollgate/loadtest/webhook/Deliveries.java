package dev.tollgate.loadtest.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Sends events over a fixed number of connections, each again until it is acknowledged with 2xx.
 * Thread-safe.
 */
final class Deliveries implements AutoCloseable {
  static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final LinkedBlockingQueue<Event> queue = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong open = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final int port;
  private final CountDownLatch closing = new CountDownLatch(1);

  /** An event; its copies are one object, so that they are signed once a second and not each. */
  static final class Event {
    private final String path;
    private final String id;
    private final String body;

    /** As it was sent last. Any thread may replace it. */
    private volatile Signed last = new Signed(0, new byte[0]);

    /**
     * @param id none: it is not signed
     */
    Event(String path, String id, String body) {
      this.path = path;
      this.id = id;
      this.body = body;
    }

    byte[] request() {
      long now = Instant.now().getEpochSecond();
      Signed known = last;
      if (known.second != now) {
        known = new Signed(now, request(now));
        last = known;
      }
      return known.request;
    }

    private byte[] request(long second) {
      byte[] bytes = body.getBytes(UTF_8);
      String head =
          "POST %s HTTP/1.1\r\nHost: h\r\n%sContent-Length: %d\r\n\r\n"
              .formatted(path, signature(second), bytes.length);
      byte[] request = new byte[head.length() + bytes.length];
      System.arraycopy(head.getBytes(ISO_8859_1), 0, request, 0, head.length());
      System.arraycopy(bytes, 0, request, head.length(), bytes.length);
      return request;
    }

    private String signature(long second) {
      if (id.isEmpty()) {
        return "";
      }
      try {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.substring(6)), "HmacSHA256"));
        byte[] signed = mac.doFinal((id + "." + second + "." + body).getBytes(UTF_8));
        return "webhook-id: %s\r\nwebhook-timestamp: %s\r\nwebhook-signature: v1,%s\r\n"
            .formatted(id, "" + second, Base64.getEncoder().encodeToString(signed));
      } catch (GeneralSecurityException e) {
        throw new AssertionError(e);
      }
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Signed(long second, byte[] request) {}

  Deliveries(int port, int connections) {
    this.port = port;
    for (int i = 0; i < connections; i++) {
      threads.add(Thread.ofVirtual().start(this::run));
    }
  }

  void add(Event event) {
    open.incrementAndGet();
    queue.add(event);
  }

  /** Deliveries that are not acknowledged yet. */
  long open() {
    return open.get();
  }

  /** Tries that were not acknowledged. */
  long failures() {
    return failures.get();
  }

  private void run() {
    Link link = null;
    try {
      while (closing.getCount() > 0) {
        Event event = queue.poll(100, TimeUnit.MILLISECONDS);
        if (event == null) {
          continue;
        }
        link = deliver(event, link);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      end(link);
    }
  }

  private @Nullable Link deliver(Event event, @Nullable Link known) throws InterruptedException {
    Link link = known;
    try {
      if (link == null) {
        link = new Link(port);
      }
      if (link.post(event) / 100 == 2) {
        open.decrementAndGet();
        return link;
      }
    } catch (IOException _) {
      // it is sent again over another connection
    }
    failures.incrementAndGet();
    end(link);
    queue.add(event);
    closing.await(20, TimeUnit.MILLISECONDS);
    return null;
  }

  private static void end(@Nullable Link link) {
    if (link != null) {
      link.close();
    }
  }

  @Override
  public void close() {
    closing.countDown();
    threads.forEach(Thread::interrupt);
  }

  /** One connection. Confined to its thread. */
  private static final class Link implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final byte[] answer = new byte[1024];

    Link(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(20_000);
      socket.setTcpNoDelay(true);
      in = socket.getInputStream();
    }

    /** The status; an answer has no body, or its connection is of no use any more. */
    int post(Event event) throws IOException {
      socket.getOutputStream().write(event.request());
      int length = 0;
      while (!ends(length)) {
        int read = in.read(answer, length, answer.length - length);
        if (read <= 0) {
          throw new IOException("cut");
        }
        length += read;
      }
      String head = new String(answer, 0, length, ISO_8859_1);
      if (head.contains("\r\nConnection: close")) {
        throw new IOException(head);
      }
      return Integer.parseInt(head.substring(9, 12));
    }

    private boolean ends(int length) {
      return length >= 4
          && answer[length - 4] == '\r'
          && answer[length - 3] == '\n'
          && answer[length - 2] == '\r'
          && answer[length - 1] == '\n';
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException _) {
        // it is of no use any more
      }
    }
  }
}
