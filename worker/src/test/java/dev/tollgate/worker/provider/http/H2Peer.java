package dev.tollgate.worker.provider.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The server's end of one HTTP/2 connection: sends frames, valid or not. Thread-safe. Header fields
 * are rendered as plain literals by hand.
 */
public final class H2Peer {
  private static final int LITERAL_MAX = 126;
  private static final int FRAME_MAX = 16 * 1024;

  private final Socket socket;
  private final OutputStream out;
  private final int number;
  private final CountDownLatch closed;
  private final Map<Integer, Semaphore> windows = new ConcurrentHashMap<>();
  private volatile boolean reads = true;

  H2Peer(Socket socket, int number, CountDownLatch closed) throws IOException {
    this.socket = socket;
    this.out = socket.getOutputStream();
    this.number = number;
    this.closed = closed;
  }

  /** Which connection of its server it is, from 1. */
  public int number() {
    return number;
  }

  /** A whole answer. */
  public void answer(int streamId, int status, String body) throws IOException {
    head(streamId, status, false, "content-length", Integer.toString(body.length()));
    data(streamId, body, true);
  }

  /** A header block with a status; {@code fields} are names and values in turn. */
  public void head(int streamId, int status, boolean last, String... fields) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    literal(block, ":status", Integer.toString(status));
    block(streamId, last, block, fields);
  }

  /** A header block without a status. */
  public void trailers(int streamId, boolean last, String... fields) throws IOException {
    block(streamId, last, new ByteArrayOutputStream(), fields);
  }

  /** Part of a body. */
  public void data(int streamId, String body, boolean last) throws IOException {
    frame(0x0, last ? 0x1 : 0, streamId, body.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A whole body, as fast as the client takes it. */
  public void flood(int streamId, String body) throws IOException {
    for (int at = 0; at < body.length(); at += FRAME_MAX) {
      int to = Math.min(body.length(), at + FRAME_MAX);
      try {
        if (!window(streamId).tryAcquire(to - at, 20, TimeUnit.SECONDS)) {
          throw new IOException("the client opens no window");
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      data(streamId, body.substring(at, to), to == body.length());
    }
  }

  void widened(int streamId, int increment) {
    window(streamId).release(increment);
  }

  private Semaphore window(int streamId) {
    return windows.computeIfAbsent(streamId, _ -> new Semaphore(H2Stream.WINDOW));
  }

  /** A DATA frame with {@code padding} bytes of padding. */
  public void padded(int streamId, String body, int padding, boolean last) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(1 + body.length() + padding);
    payload.put((byte) padding).put(body.getBytes(StandardCharsets.ISO_8859_1));
    frame(0x0, 0x8 | (last ? 0x1 : 0), streamId, payload.array());
  }

  /** The head of a DATA frame of {@code length} bytes, and only the beginning of its payload. */
  public void partOfData(int streamId, int length, String beginning) throws IOException {
    byte[] bytes = beginning.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer part = ByteBuffer.allocate(9 + bytes.length);
    write(frameHead(part, 0x0, 0x1, streamId, length).put(bytes).array());
  }

  public void reset(int streamId, int code) throws IOException {
    frame(0x3, 0, streamId, ByteBuffer.allocate(4).putInt(code).array());
  }

  public void goAway(int last, int code) throws IOException {
    frame(0x7, 0, 0, ByteBuffer.allocate(8).putInt(last).putInt(code).array());
  }

  public void windowUpdate(int streamId, int increment) throws IOException {
    frame(0x8, 0, streamId, ByteBuffer.allocate(4).putInt(increment).array());
  }

  /** {@code pairs} are identifiers and values in turn. */
  public void settings(int... pairs) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(pairs.length / 2 * 6);
    for (int i = 0; i < pairs.length; i += 2) {
      payload.putShort((short) pairs[i]).putInt(pairs[i + 1]);
    }
    frame(0x4, 0, 0, payload.array());
  }

  /** Any frame. */
  public void frame(int type, int flags, int streamId, byte[] payload) throws IOException {
    ByteBuffer whole = ByteBuffer.allocate(9 + payload.length);
    write(frameHead(whole, type, flags, streamId, payload.length).put(payload).array());
  }

  /** Any bytes. */
  public synchronized void write(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Ends the connection with a FIN. */
  public synchronized void fin() throws IOException {
    socket.shutdownOutput();
  }

  /** Ends the connection with a RST. */
  public synchronized void rst() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** Reads nothing more after the frame that it is reading. */
  public void stopReading() {
    reads = false;
  }

  void awaitLeave() throws IOException {
    if (!reads) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private void block(int streamId, boolean last, ByteArrayOutputStream block, String... fields)
      throws IOException {
    for (int i = 0; i < fields.length; i += 2) {
      literal(block, fields[i], fields[i + 1]);
    }
    byte[] bytes = block.toByteArray();
    for (int at = 0; at < bytes.length || at == 0; at += FRAME_MAX) {
      int n = Math.min(FRAME_MAX, bytes.length - at);
      int flags = (last && at == 0 ? 0x1 : 0) | (at + n == bytes.length ? 0x4 : 0);
      byte[] payload = ByteBuffer.allocate(n).put(bytes, at, n).array();
      frame(at == 0 ? 0x1 : 0x9, flags, streamId, payload);
    }
  }

  /** A literal field that is not indexed, with a new name (RFC 7541, 6.2.2). */
  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      if (text.length() > LITERAL_MAX) {
        throw new IllegalArgumentException("too long for this renderer: " + text);
      }
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  private static ByteBuffer frameHead(
      ByteBuffer into, int type, int flags, int streamId, int length) {
    return into.put((byte) (length >> 16))
        .put((byte) (length >> 8))
        .put((byte) length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(streamId);
  }
}
