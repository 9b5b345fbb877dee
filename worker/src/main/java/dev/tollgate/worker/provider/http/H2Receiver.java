package dev.tollgate.worker.provider.http;

import dev.tollgate.worker.provider.http.H2Headers.Block;
import dev.tollgate.worker.provider.http.H2Stream.End;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hc.core5.http2.H2Error;
import org.jspecify.annotations.Nullable;

/** Reads the frames of one connection until it ends, and says what each means. One thread's. */
final class H2Receiver implements Runnable {
  /** The longest header block that is read, as it is on the wire. */
  static final int BLOCK_MAX = 64 * 1024;

  private static final int CONTINUATIONS_MAX = 64;

  private final H2Link link;
  private final H2Connection connection;
  private final ReentrantLock lock;
  private final H2Headers headers = new H2Headers();
  private int window = H2Connection.WINDOW;

  H2Receiver(H2Link link, H2Connection connection, ReentrantLock lock) {
    this.link = link;
    this.connection = connection;
    this.lock = lock;
  }

  @Override
  public void run() {
    try {
      H2Input in = new H2Input(link.in());
      boolean greeted = false;
      while (in.next()) {
        require(greeted || in.type() == H2Frame.SETTINGS, "it does not begin with its settings");
        greeted = true;
        take(in);
      }
      connection.abort("the peer closed the connection");
    } catch (H2Violation e) {
      connection.violated(e);
    } catch (IOException | RuntimeException e) {
      connection.abort(Evidence.describe(e));
    }
  }

  private void take(H2Input in) throws IOException {
    int streamId = in.streamId();
    switch (in.type()) {
      case H2Frame.DATA -> data(in);
      case H2Frame.HEADERS -> head(in);
      case H2Frame.PUSH_PROMISE, H2Frame.CONTINUATION ->
          throw new H2Violation(H2Error.PROTOCOL_ERROR, "a frame that is not allowed here");
      default -> {
        byte[] payload = in.payload();
        boolean ack = in.has(H2Frame.ACK);
        lock.lock();
        try {
          connection.frameCame();
          control(in.type(), streamId, ack, payload);
        } finally {
          lock.unlock();
        }
      }
    }
  }

  /** Frames without a body; with the lock held. */
  private void control(int type, int streamId, boolean ack, byte[] payload) throws H2Violation {
    switch (type) {
      case H2Frame.SETTINGS -> {
        requireSize(streamId == 0 && payload.length % 6 == 0 && (!ack || payload.length == 0));
        if (!ack) {
          settings(ByteBuffer.wrap(payload));
        }
      }
      case H2Frame.PING -> {
        requireSize(streamId == 0 && payload.length == 8);
        if (!ack) {
          connection.say(H2Frame.pingAck(payload));
        }
      }
      case H2Frame.GOAWAY -> {
        requireSize(streamId == 0 && payload.length >= 8);
        ByteBuffer fields = ByteBuffer.wrap(payload);
        goAway(fields.getInt() & Integer.MAX_VALUE, fields.getInt());
      }
      case H2Frame.RST_STREAM -> {
        requireSize(payload.length == 4);
        reset(stream(streamId), ByteBuffer.wrap(payload).getInt());
      }
      case H2Frame.WINDOW_UPDATE -> {
        requireSize(payload.length == 4);
        widen(streamId, ByteBuffer.wrap(payload).getInt() & Integer.MAX_VALUE);
      }
      default -> {} // priorities, and what a later document defines
    }
  }

  private void settings(ByteBuffer pairs) throws H2Violation {
    while (pairs.hasRemaining()) {
      connection.sending().setting(pairs.getShort() & 0xffff, pairs.getInt());
    }
    connection.settingsCame();
  }

  /** What is above {@code last} was not processed and will not be; the rest may run on. */
  private void goAway(int last, int code) {
    String why = "the peer sent GOAWAY " + H2Frame.name(code);
    connection.drain(why);
    for (H2Stream stream : connection.sending().opened()) {
      if (stream.id > last) {
        String above = why + ": stream " + stream.id + " is above its last, " + last;
        // one that it answered already it cannot disclaim
        connection.over(stream, stream.heard() ? End.BROKEN : End.UNPROCESSED, above);
      }
    }
  }

  private void reset(@Nullable H2Stream stream, int code) {
    if (stream != null) {
      boolean refused = code == H2Error.REFUSED_STREAM.getCode() && !stream.heard();
      String why = "the peer reset the stream: " + H2Frame.name(code);
      connection.over(stream, refused ? End.UNPROCESSED : End.BROKEN, why);
    }
  }

  private void widen(int streamId, int increment) throws H2Violation {
    if (streamId == 0) {
      require(increment > 0, "a window that does not grow");
      connection.sending().widen(increment);
    } else {
      H2Stream stream = stream(streamId);
      if (stream != null && increment == 0) {
        connection.reset(stream, H2Error.PROTOCOL_ERROR, "a window that does not grow");
      } else if (stream != null && !connection.sending().widen(stream, increment)) {
        connection.reset(stream, H2Error.FLOW_CONTROL_ERROR, "a window beyond 2^31-1");
      }
    }
    connection.wakeWriter();
  }

  private void head(H2Input in) throws IOException {
    int streamId = in.streamId();
    boolean last = in.has(H2Frame.END_STREAM);
    ByteBuffer payload = ByteBuffer.wrap(in.payload());
    int padding = 0;
    if (in.has(H2Frame.PADDED)) {
      require(payload.hasRemaining(), "padding without its length");
      padding = payload.get() & 0xff;
    }
    int priority = in.has(H2Frame.WITH_PRIORITY) ? 5 : 0;
    require(payload.remaining() >= padding + priority, "more padding than there is");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(
        payload.array(), payload.position() + priority, payload.remaining() - priority - padding);
    for (int n = 0; !in.has(H2Frame.END_HEADERS); n++) {
      require(in.next(), "closed within a header block");
      require(
          in.type() == H2Frame.CONTINUATION && in.streamId() == streamId && n < CONTINUATIONS_MAX,
          "a header block that does not go on");
      bytes.writeBytes(in.payload());
      if (bytes.size() > BLOCK_MAX) {
        throw new H2Violation(H2Error.ENHANCE_YOUR_CALM, "a header block without an end");
      }
    }
    Block block = headers.read(bytes.toByteArray());
    lock.lock();
    try {
      connection.frameCame();
      H2Stream stream = stream(streamId);
      if (stream != null) {
        head(stream, block, last);
      }
    } finally {
      lock.unlock();
    }
  }

  private void head(H2Stream stream, Block block, boolean last) {
    String fault = stream.head(block, last);
    if (!fault.isEmpty()) {
      malformed(stream, fault);
    } else if (last) {
      connection.complete(stream);
    }
  }

  /** Hands a body on as it comes, not frame by frame: what came of a cut frame counts as well. */
  private void data(H2Input in) throws IOException {
    int length = in.length();
    H2Stream stream = announced(in.streamId(), length);
    int content = length;
    if (in.has(H2Frame.PADDED)) {
      require(length > 0, "padding without its length");
      content = length - 1 - (in.piece(1)[0] & 0xff);
      require(content >= 0, "more padding than there is");
    }
    for (int left = content; left > 0; ) {
      byte[] piece = in.piece(left);
      left -= piece.length;
      piece(stream, piece);
    }
    in.skip();
    lock.lock();
    try {
      window -= length;
      if (window < H2Connection.WINDOW / 2) {
        connection.say(H2Frame.windowUpdate(0, H2Connection.WINDOW - window));
        window = H2Connection.WINDOW;
      }
      if (stream != null && !stream.isOver()) {
        connection.taken(stream, length - content);
        if (in.has(H2Frame.END_STREAM)) {
          connection.complete(stream);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The stream whose body goes on, null if nobody waits for it. */
  private @Nullable H2Stream announced(int streamId, int length) throws H2Violation {
    lock.lock();
    try {
      connection.frameCame();
      H2Stream stream = stream(streamId);
      if (length > window) {
        throw new H2Violation(H2Error.FLOW_CONTROL_ERROR, "more than the window of all bodies");
      }
      if (stream != null && !stream.receive(length)) {
        connection.reset(stream, H2Error.FLOW_CONTROL_ERROR, "more than the window of the body");
      }
      return stream;
    } finally {
      lock.unlock();
    }
  }

  private void piece(@Nullable H2Stream stream, byte[] piece) {
    lock.lock();
    try {
      if (stream != null && !stream.isOver()) {
        String fault = stream.piece(piece);
        if (!fault.isEmpty()) {
          malformed(stream, fault);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void malformed(H2Stream stream, String fault) {
    connection.reset(stream, H2Error.PROTOCOL_ERROR, "a malformed answer: " + fault);
  }

  /** The stream, null if it is over; with the lock held. */
  private @Nullable H2Stream stream(int streamId) throws H2Violation {
    require(connection.sending().wasOpened(streamId), "a frame for a stream that nobody opened");
    return connection.sending().open(streamId);
  }

  private static void require(boolean holds, String fault) throws H2Violation {
    if (!holds) {
      throw new H2Violation(H2Error.PROTOCOL_ERROR, fault);
    }
  }

  private static void requireSize(boolean holds) throws H2Violation {
    if (!holds) {
      throw new H2Violation(H2Error.FRAME_SIZE_ERROR, "a frame that does not fit its type");
    }
  }
}
