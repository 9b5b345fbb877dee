package dev.tollgate.worker.provider.http;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hc.core5.http2.H2Error;
import org.jspecify.annotations.Nullable;

/**
 * What waits to leave on one connection, and how much of it the peer takes. Guarded by the engine's
 * lock.
 */
final class H2Sending {
  /** More answers to PING and SETTINGS than that wait only if the peer floods us. */
  private static final int CONTROL_MAX = 1000;

  /** A peer that names no limit gets no more streams than this on one connection. */
  private static final int STREAMS_MAX = 1024;

  /** Far from the end of the numbers, so that what is reserved can still go. */
  private static final int ID_MAX = Integer.MAX_VALUE - 2 * STREAMS_MAX - 1;

  private static final long WINDOW_MAX = Integer.MAX_VALUE;

  private final LongSupplier nanoTime;
  private final H2Request heads = new H2Request();
  private final Deque<byte[]> control = new ArrayDeque<>();
  private final Deque<H2Stream> waiting = new ArrayDeque<>();
  private final Deque<H2Stream> sendable = new ArrayDeque<>();
  private final Map<Integer, H2Stream> open = new HashMap<>();
  private long streamsMax = STREAMS_MAX;
  private long window = H2Frame.WINDOW_DEFAULT;
  private long initialWindow = H2Frame.WINDOW_DEFAULT;
  private int nextId = 1;
  private long batch;

  H2Sending(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The stream of that number, if it is open. */
  @Nullable H2Stream open(int streamId) {
    return open.get(streamId);
  }

  List<H2Stream> opened() {
    return new ArrayList<>(open.values());
  }

  List<H2Stream> waiting() {
    return new ArrayList<>(waiting);
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  boolean nothingOpen() {
    return open.isEmpty();
  }

  boolean wasOpened(int streamId) {
    return streamId % 2 == 1 && streamId < nextId;
  }

  boolean hasRoomFor(int streams) {
    return streams < streamsMax && nextId < ID_MAX;
  }

  /** The number of the last write that was rendered. */
  long batch() {
    return batch;
  }

  /** Queues a frame that belongs to no body; false if too many wait already. */
  boolean control(byte[] frame) {
    return control.size() < CONTROL_MAX && control.add(frame);
  }

  void enqueue(H2Stream stream) {
    waiting.add(stream);
  }

  /** Nothing more of it leaves. */
  void forget(H2Stream stream) {
    if (stream.mayHaveLeft()) {
      open.remove(stream.id);
    } else {
      waiting.remove(stream);
    }
    if (stream.sendable) {
      sendable.remove(stream);
      stream.sendable = false;
    }
  }

  /**
   * Renders what may leave now; the caller writes it at once.
   *
   * @param framesSeen how many frames the peer has sent so far
   * @param late takes the streams whose time for the first byte is over, after this
   */
  void render(H2Output out, long framesSeen, List<H2Stream> late) throws IOException {
    batch++;
    for (byte[] frame = control.poll(); frame != null; frame = control.poll()) {
      out.add(frame);
    }
    if (!waiting.isEmpty() && open.size() < streamsMax) {
      long now = nanoTime.getAsLong(); // what is rendered below leaves in the next instant
      while (!waiting.isEmpty() && open.size() < streamsMax && !out.isFull()) {
        H2Stream stream = waiting.remove();
        if (now - stream.call.sendNotAfterNanos() >= 0) {
          late.add(stream);
        } else {
          begin(stream, out, framesSeen);
        }
      }
    }
    while (window > 0 && !sendable.isEmpty() && !out.isFull()) {
      data(sendable.remove(), out);
    }
  }

  /** From here on a byte of it may have left. */
  private void begin(H2Stream stream, H2Output out, long framesSeen) throws IOException {
    stream.id = nextId;
    nextId += 2;
    stream.batch = batch;
    stream.framesBefore = framesSeen;
    stream.sendWindow = initialWindow;
    open.put(stream.id, stream);
    heads.render(stream.id, stream.fields, stream.bodyIsSent(), out);
    offer(stream);
  }

  private void data(H2Stream stream, H2Output out) {
    stream.sendable = false;
    if (stream.sendWindow <= 0) {
      return; // the peer took back what it had allowed
    }
    int left = stream.body.length - stream.bodySent;
    int n =
        (int) Math.min(Math.min(left, H2Frame.PAYLOAD_MAX), Math.min(window, stream.sendWindow));
    int flags = n == left ? H2Frame.END_STREAM : 0;
    out.frame(H2Frame.DATA, flags, stream.id, stream.body, stream.bodySent, n);
    stream.bodySent += n;
    stream.batch = batch;
    stream.sendWindow -= n;
    window -= n;
    offer(stream);
  }

  /** Puts it at the end of the queue if it has something that the peer takes. */
  private void offer(H2Stream stream) {
    if (!stream.sendable && !stream.bodyIsSent() && stream.sendWindow > 0) {
      stream.sendable = true;
      sendable.add(stream);
    }
  }

  /** The peer takes more of everything. */
  void widen(int increment) throws H2Violation {
    window += increment;
    if (window > WINDOW_MAX) {
      throw new H2Violation(H2Error.FLOW_CONTROL_ERROR, "a window beyond 2^31-1");
    }
  }

  /** The peer takes more of one body; false if it went beyond what is allowed. */
  boolean widen(H2Stream stream, int increment) {
    stream.sendWindow += increment;
    offer(stream);
    return stream.sendWindow <= WINDOW_MAX;
  }

  /** One setting of the peer. */
  void setting(int identifier, int value) throws H2Violation {
    switch (identifier) {
      case H2Frame.HEADER_TABLE_SIZE -> heads.peerTable(value);
      case H2Frame.MAX_CONCURRENT_STREAMS ->
          streamsMax = Math.min(STREAMS_MAX, Integer.toUnsignedLong(value));
      case H2Frame.INITIAL_WINDOW_SIZE -> initialWindow(Integer.toUnsignedLong(value));
      case H2Frame.ENABLE_PUSH -> {
        if (value != 0) {
          throw new H2Violation(H2Error.PROTOCOL_ERROR, "a server that enables push");
        }
      }
      case H2Frame.MAX_FRAME_SIZE -> {
        if (value < H2Frame.PAYLOAD_MAX || value > 0xff_ffff) {
          throw new H2Violation(H2Error.PROTOCOL_ERROR, "a frame size outside its range");
        }
      }
      default -> {} // what is unknown is to be ignored, and the longest header list is advice
    }
  }

  private void initialWindow(long size) throws H2Violation {
    if (size > WINDOW_MAX) {
      throw new H2Violation(H2Error.FLOW_CONTROL_ERROR, "a window beyond 2^31-1");
    }
    long change = size - initialWindow;
    initialWindow = size;
    for (H2Stream stream : open.values()) {
      stream.sendWindow += change; // may become negative
      if (stream.sendWindow > WINDOW_MAX) {
        throw new H2Violation(H2Error.FLOW_CONTROL_ERROR, "a window beyond 2^31-1");
      }
      offer(stream);
    }
  }
}
