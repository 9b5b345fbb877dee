package dev.tollgate.worker.provider.http;

import dev.tollgate.worker.provider.http.H2Headers.Block;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import org.apache.hc.core5.http.Header;
import org.jspecify.annotations.Nullable;

/**
 * One request on an HTTP/2 connection, and what came back. Everything that changes in it is guarded
 * by the engine's lock; its sender may read the answer without once it has seen the end.
 */
final class H2Stream {
  /** How many bytes of a body may wait for their sender: what a peer can make us hold. */
  static final int WINDOW = 256 * 1024;

  private static final byte[] NO_BODY = {};

  /** How it ended. */
  enum End {
    /** Nothing left, and the connection takes nothing more: another one may. */
    MOVED,
    /** Nothing left, and nothing will. */
    NOT_SENT,
    /** It may have left, and the peer disclaimed it. */
    UNPROCESSED,
    /** The answer is whole. */
    WHOLE,
    /** It may have left, and its answer is missing, wholly or in part. */
    BROKEN
  }

  final HttpCall call;
  final List<Header> fields;
  final byte[] body;
  final Condition changed;

  int id; // 0 until its HEADERS are handed to the connection: from then on a byte may have left
  long batch; // the last write that holds something of it
  long framesBefore; // how many frames the peer had sent when its HEADERS were rendered
  int bodySent;
  long sendWindow;
  boolean sendable; // whether it is in the queue of those with something to send

  private boolean heard; // the peer sent a header block of any kind
  private int status;
  private Map<String, String> kept = Map.of();
  private long announced = -1;
  private long came;
  private final Deque<byte[]> pieces = new ArrayDeque<>();
  private long receiveWindow = WINDOW;
  private int unconfirmed; // taken by the sender, not yet given back to the peer as window

  private @Nullable End end;
  private String error = "";

  H2Stream(HttpCall call, List<Header> fields, Condition changed) {
    this.call = call;
    this.fields = fields;
    this.body = call.body().orElse(NO_BODY);
    this.changed = changed;
  }

  boolean mayHaveLeft() {
    return id != 0;
  }

  boolean bodyIsSent() {
    return bodySent == body.length;
  }

  /** Whether the peer said anything on it, which shows that it was processed in some way. */
  boolean heard() {
    return heard;
  }

  boolean isOver() {
    return end != null;
  }

  @Nullable End end() {
    return end;
  }

  String error() {
    return error;
  }

  /** 0 as long as no head of a final response came. */
  int status() {
    return status;
  }

  Map<String, String> kept() {
    return kept;
  }

  /** Only the first end counts. */
  void over(End how, String why) {
    if (end == null) {
      end = how;
      error = why;
      changed.signal();
    }
  }

  /**
   * Takes a header block.
   *
   * @return why it makes the answer malformed, empty if it does not
   */
  String head(Block block, boolean last) {
    heard = true;
    if (!block.fault().isEmpty()) {
      return block.fault();
    }
    if (status > 0) {
      return block.hasStatus() || !last ? "trailers that are none" : "";
    }
    if (!block.hasStatus()) {
      return "a head without a status";
    }
    if (block.status() < 200) {
      return last || block.status() == 101 ? "an interim head that is none" : "";
    }
    status = block.status();
    kept = block.kept();
    announced = status == 204 || status == 304 ? -1 : block.length();
    return "";
  }

  /**
   * Takes the announcement of a DATA frame, padding included.
   *
   * @return whether the peer was allowed to send so much
   */
  boolean receive(int length) {
    receiveWindow -= length;
    return receiveWindow >= 0;
  }

  /**
   * Takes a piece of the body.
   *
   * @return why it makes the answer malformed, empty if it does not
   */
  String piece(byte[] piece) {
    if (status == 0) {
      return "a body before its head";
    }
    came += piece.length;
    pieces.add(piece);
    changed.signal();
    return announced >= 0 && came > announced ? "longer than its content-length" : "";
  }

  boolean isShorterThanAnnounced() {
    return came < announced;
  }

  /** The next piece that nobody took yet, null if there is none at the moment. */
  byte @Nullable [] poll() {
    return pieces.poll();
  }

  /**
   * Says that so many bytes were taken.
   *
   * @return by how much the peer's window is to be opened now, mostly 0
   */
  int confirm(int bytes) {
    unconfirmed += bytes;
    if (unconfirmed < WINDOW / 2) {
      return 0;
    }
    int increment = unconfirmed;
    unconfirmed = 0;
    receiveWindow += increment;
    return increment;
  }
}
