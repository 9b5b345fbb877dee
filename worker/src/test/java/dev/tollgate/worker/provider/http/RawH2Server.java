package dev.tollgate.worker.provider.http;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http2.hpack.HPackDecoder;

/**
 * A server that speaks frames: it reads each request whole, keeps it, and lets a script send what
 * frames it likes. Every request that reaches it is counted, whatever becomes of it. It shares no
 * code with the client but the decoder of header blocks.
 */
public final class RawH2Server implements CountingServer {
  public static final int NO_ERROR = 0x0;
  public static final int PROTOCOL_ERROR = 0x1;
  public static final int INTERNAL_ERROR = 0x2;
  public static final int REFUSED_STREAM = 0x7;
  public static final int CANCEL = 0x8;

  private final ServerSocket listener;
  private final Script script;
  private final Manners manners;
  private final List<Request> requests = new ArrayList<>();
  private final List<Frame> frames = new ArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** What to do with a request; on a thread of its own, and to return is to hang. */
  public interface Script {
    void answer(Request request, H2Peer peer) throws IOException;

    /** Sees each frame, after it was taken. */
    default void came(Frame frame, H2Peer peer) throws IOException {}
  }

  /** One request as it came. */
  public record Request(int number, int streamId, Map<String, String> headers, String body) {}

  /** One frame as it came. */
  public record Frame(int type, int flags, int streamId, ByteBuffer payload) {
    /** The number in a RST_STREAM or WINDOW_UPDATE. */
    public int value() {
      return payload.getInt(0);
    }
  }

  /**
   * How it behaves beside its script.
   *
   * @param settings pairs of identifier and value
   * @param greets whether it sends its settings
   * @param pongs whether it answers a PING
   * @param widens whether it gives back the window that a body took
   * @param tls if it speaks TLS
   * @param alpn the protocol that it selects
   */
  public record Manners(
      List<Integer> settings,
      boolean greets,
      boolean pongs,
      boolean widens,
      Optional<SSLContext> tls,
      String alpn) {
    public static final Manners GOOD =
        new Manners(List.of(), true, true, true, Optional.empty(), "h2");

    public Manners with(Integer... otherSettings) {
      return new Manners(List.of(otherSettings), greets, pongs, widens, tls, alpn);
    }

    public Manners silent() {
      return new Manners(settings, false, false, false, tls, alpn);
    }

    public Manners ignoringPings() {
      return new Manners(settings, greets, false, widens, tls, alpn);
    }

    public Manners narrow() {
      return new Manners(settings, greets, pongs, false, tls, alpn);
    }

    public Manners tls(SSLContext context, String protocol) {
      return new Manners(settings, greets, pongs, widens, Optional.of(context), protocol);
    }
  }

  public RawH2Server(Script script) throws IOException {
    this(script, Manners.GOOD);
  }

  public RawH2Server(Script script, Manners manners) throws IOException {
    this.listener = listener(manners);
    this.script = script;
    this.manners = manners;
    Thread.ofVirtual().start(this::acceptAll);
  }

  private static ServerSocket listener(Manners manners) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    if (manners.tls().isEmpty()) {
      return new ServerSocket(0, 100, here);
    }
    SSLServerSocket secure =
        (SSLServerSocket)
            manners.tls().get().getServerSocketFactory().createServerSocket(0, 100, here);
    SSLParameters parameters = secure.getSSLParameters();
    if (!manners.alpn().isEmpty()) {
      parameters.setApplicationProtocols(new String[] {manners.alpn()});
    }
    secure.setSSLParameters(parameters);
    return secure;
  }

  @Override
  public URI base(String path) {
    String scheme = manners.tls().isPresent() ? "https" : "http";
    return URI.create(scheme + "://127.0.0.1:" + listener.getLocalPort() + path);
  }

  @Override
  public List<Request> requests() {
    synchronized (requests) {
      return List.copyOf(requests);
    }
  }

  /** How many POSTs came, whole or not. */
  @Override
  public long posts() {
    return frames(0x1).size()
        - requests().stream().filter(r -> !"POST".equals(r.headers().get(":method"))).count();
  }

  /** Every frame that came, over all connections. */
  public List<Frame> frames() {
    synchronized (frames) {
      return List.copyOf(frames);
    }
  }

  /** The frames of one type that came. */
  public List<Frame> frames(int type) {
    return frames().stream().filter(frame -> frame.type() == type).toList();
  }

  @Override
  public int connections() {
    return connections.get();
  }

  /** How many connections the client has ended. */
  public int ended() {
    return ended.get();
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = listener.accept();
        int number = connections.incrementAndGet();
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket, number));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void serve(Socket socket, int number) {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      H2Peer peer = new H2Peer(socket, number, closed);
      in.readFully(new byte[24]);
      if (manners.greets()) {
        peer.settings(manners.settings().stream().mapToInt(Integer::intValue).toArray());
      }
      Connection connection = new Connection(peer);
      while (true) {
        peer.awaitLeave();
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        Frame frame =
            new Frame(
                in.readUnsignedByte(),
                in.readUnsignedByte(),
                in.readInt() & Integer.MAX_VALUE,
                ByteBuffer.wrap(in.readNBytes(length)));
        synchronized (frames) {
          frames.add(frame);
        }
        connection.take(frame);
        script.came(frame, peer);
      }
    } catch (IOException | UncheckedIOException | HttpException _) {
      ended.incrementAndGet(); // what it had sent is counted already
    }
  }

  /** What came on one connection so far. */
  private final class Connection {
    private final H2Peer peer;
    private final HPackDecoder decoder = new HPackDecoder(4096, StandardCharsets.US_ASCII);
    private final Map<Integer, Map<String, String>> heads = new ConcurrentHashMap<>();
    private final Map<Integer, ByteArrayOutputStream> bodies = new ConcurrentHashMap<>();

    Connection(H2Peer peer) {
      this.peer = peer;
      decoder.setMaxTableSize(4096);
    }

    void take(Frame frame) throws IOException, HttpException {
      boolean flag = (frame.flags() & 0x1) != 0;
      switch (frame.type()) {
        case 0x0 -> {
          body(frame.streamId()).writeBytes(frame.payload().array());
          if (manners.widens() && frame.payload().capacity() > 0) {
            peer.windowUpdate(0, frame.payload().capacity());
            if (!flag) {
              peer.windowUpdate(frame.streamId(), frame.payload().capacity());
            }
          }
        }
        case 0x1 -> {
          Map<String, String> fields = new HashMap<>();
          for (Header field : decoder.decodeHeaders(frame.payload().duplicate())) {
            fields.put(field.getName(), field.getValue());
          }
          heads.put(frame.streamId(), fields);
        }
        case 0x4 -> {
          if (!flag && manners.greets()) {
            peer.frame(0x4, 0x1, 0, new byte[0]);
          }
        }
        case 0x6 -> {
          if (!flag && manners.pongs()) {
            peer.frame(0x6, 0x1, 0, frame.payload().array());
          }
        }
        case 0x8 -> peer.widened(frame.streamId(), frame.value());
        default -> {}
      }
      if (flag && frame.type() <= 0x1) {
        whole(frame.streamId());
      }
    }

    private ByteArrayOutputStream body(int streamId) {
      return bodies.computeIfAbsent(streamId, _ -> new ByteArrayOutputStream());
    }

    private void whole(int streamId) {
      Request request;
      synchronized (requests) {
        request =
            new Request(
                requests.size() + 1,
                streamId,
                Map.copyOf(heads.getOrDefault(streamId, Map.of())),
                body(streamId).toString(StandardCharsets.UTF_8));
        requests.add(request);
      }
      Thread.ofVirtual().start(() -> run(request));
    }

    private void run(Request request) {
      try {
        script.answer(request, peer);
      } catch (IOException | UncheckedIOException _) {
        // the client went away
      }
    }
  }
}
