package dev.tollgate.worker.provider.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.hc.core5.http2.H2Error;

/**
 * Takes frames off a stream of bytes. A payload can be read in pieces as it comes, so that what
 * came of a frame that was cut is not lost. Confined to the thread that reads.
 */
final class H2Input {
  private final InputStream in;
  private final byte[] buffer = new byte[H2Frame.HEAD_LENGTH + H2Frame.PAYLOAD_MAX];
  private int start;
  private int end;

  private int type;
  private int flags;
  private int streamId;
  private int length;
  private int left;

  H2Input(InputStream in) {
    this.in = in;
  }

  /**
   * Goes to the next frame; the payload of the one before has to be read.
   *
   * @return false if the peer closed between two frames
   */
  boolean next() throws IOException {
    while (end - start < H2Frame.HEAD_LENGTH) {
      if (!fill()) {
        if (start == end) {
          return false;
        }
        throw new EOFException("the peer closed within the head of a frame");
      }
    }
    length = (octet(0) << 16) | (octet(1) << 8) | octet(2);
    type = octet(3);
    flags = octet(4);
    streamId = ((octet(5) & 0x7f) << 24) | (octet(6) << 16) | (octet(7) << 8) | octet(8);
    start += H2Frame.HEAD_LENGTH;
    left = length;
    if (length > H2Frame.PAYLOAD_MAX) {
      throw new H2Violation(H2Error.FRAME_SIZE_ERROR, "a frame of " + length + " bytes");
    }
    return true;
  }

  int type() {
    return type;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  int streamId() {
    return streamId;
  }

  /** The length of the whole payload, padding included. */
  int length() {
    return length;
  }

  /** The whole payload, which nothing was read of yet. */
  byte[] payload() throws IOException {
    byte[] payload = new byte[length];
    int had = 0;
    while (left > 0) {
      byte[] piece = piece(left);
      System.arraycopy(piece, 0, payload, had, piece.length);
      had += piece.length;
    }
    return payload;
  }

  /** At least one byte of the payload and at most {@code max}, as soon as they are there. */
  byte[] piece(int max) throws IOException {
    if (start == end && !fill()) {
      throw new EOFException("the peer closed within a frame");
    }
    int n = Math.min(Math.min(max, left), end - start);
    byte[] piece = Arrays.copyOfRange(buffer, start, start + n);
    start += n;
    left -= n;
    return piece;
  }

  /** Passes over what is left of the payload. */
  void skip() throws IOException {
    while (left > 0) {
      piece(left);
    }
  }

  private int octet(int i) {
    return buffer[start + i] & 0xff;
  }

  private boolean fill() throws IOException {
    System.arraycopy(buffer, start, buffer, 0, end - start);
    end -= start;
    start = 0;
    int n = in.read(buffer, end, buffer.length - end);
    end += Math.max(n, 0);
    return n >= 0;
  }
}
