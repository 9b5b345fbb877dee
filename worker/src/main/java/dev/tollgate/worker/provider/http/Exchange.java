package dev.tollgate.worker.provider.http;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.core5.io.CloseMode;

/**
 * One request under way on one leased connection: whether its first byte may have left, and who
 * ends it, its sender or its deadline. The sender's thread owns everything but {@link #cut}.
 */
final class Exchange {
  private enum End {
    OPEN,
    FINISHED,
    CUT
  }

  private final ConnectionEndpoint endpoint;
  private final HttpCall call;
  private final LongSupplier nanoTime;
  private final AtomicReference<End> end = new AtomicReference<>(End.OPEN);
  private boolean firstByteSent; // sender's thread only

  Exchange(ConnectionEndpoint endpoint, HttpCall call, LongSupplier nanoTime) {
    this.endpoint = endpoint;
    this.call = call;
    this.nanoTime = nanoTime;
  }

  /**
   * Called on a connection that stands, right before the request is written. What fails before this
   * returns left nothing; from here on a byte may have left.
   */
  void beginSending() throws IOException {
    if (end.get() == End.CUT || nanoTime.getAsLong() - call.sendNotAfterNanos() >= 0) {
      throw new SendDeadlinePassed();
    }
    firstByteSent = true;
  }

  boolean firstByteSent() {
    return firstByteSent;
  }

  boolean wasCut() {
    return end.get() == End.CUT;
  }

  /** From now on the deadline cannot touch the connection; false if it did already. */
  boolean finish() {
    return end.compareAndSet(End.OPEN, End.FINISHED);
  }

  /**
   * Aborts the connection under the sender, by a reset: what the kernel has not sent yet is thrown
   * away. Any thread; does nothing once the exchange is finished, since the connection may by then
   * be another's.
   */
  void cut() {
    if (end.compareAndSet(End.OPEN, End.CUT)) {
      endpoint.close(CloseMode.IMMEDIATE);
    }
  }

  /** The time for the first byte is over; nothing was written. */
  static final class SendDeadlinePassed extends IOException {
    SendDeadlinePassed() {
      super("the send deadline passed before the first byte");
    }
  }
}
