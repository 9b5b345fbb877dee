package dev.tollgate.loadtest.sandbox;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tollgate.loadtest.sandbox.Reply.Streamed;
import java.io.IOException;
import java.io.OutputStream;
import java.time.InstantSource;

/**
 * Sends streams, each event when it is due: the first with its task, the others one pause after
 * another. What is due already when somebody comes again is sent at once. Thread-safe.
 */
final class Streaming {
  private static final byte[] HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"
          .getBytes(US_ASCII);

  private static final byte[] END = "0\r\n\r\n".getBytes(US_ASCII);

  private final InstantSource clock;
  private final long pauseMs;
  private final Pacer pacer;

  /**
   * @param pacer waits for one pause
   */
  Streaming(SandboxOptions options, Pacer pacer) {
    this.clock = options.clock();
    this.pauseMs = options.wordPause().toMillis();
    this.pacer = pacer;
  }

  /**
   * Sends one up to its end or its cut.
   *
   * @return whether all of it was sent
   * @throws InterruptedException when the server closes meanwhile
   */
  boolean send(Streamed stream, OutputStream out) throws IOException, InterruptedException {
    long left = stream.bytesMax();
    left = write(out, HEAD, left);
    for (int n = stream.from(); n < stream.text().events() && left > 0; n++) {
      while (clock.millis() - stream.beganMs() < n * pauseMs) {
        pacer.pause();
      }
      byte[] frame = frame(stream.text().event(n));
      left = write(out, frame, left);
      if (n == stream.repeated()) {
        left = write(out, frame, left);
      }
    }
    return left > 0 && write(out, END, left) >= 0;
  }

  /** Returns how many bytes are left; negative where they did not reach. */
  private static long write(OutputStream out, byte[] bytes, long left) throws IOException {
    if (left > 0) {
      out.write(bytes, 0, (int) Math.min(bytes.length, left));
    }
    return left - bytes.length;
  }

  /** Bytes of all of it. */
  static long length(Streamed stream) {
    long length = (long) HEAD.length + END.length;
    for (int n = stream.from(); n < stream.text().events(); n++) {
      int frame = frame(stream.text().event(n)).length;
      length += n == stream.repeated() ? 2L * frame : frame;
    }
    return length;
  }

  private static byte[] frame(byte[] event) {
    byte[] size = (Integer.toHexString(event.length) + "\r\n").getBytes(US_ASCII);
    byte[] frame = new byte[size.length + event.length + 2];
    System.arraycopy(size, 0, frame, 0, size.length);
    System.arraycopy(event, 0, frame, size.length, event.length);
    frame[frame.length - 2] = '\r';
    frame[frame.length - 1] = '\n';
    return frame;
  }
}
