package dev.tollgate.worker.provider.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Frames that leave together in one write. Confined to the thread that writes. */
final class H2Output {
  /** Where a batch ends: two full frames, far more than a create needs. */
  private static final int FULL = 2 * H2Frame.PAYLOAD_MAX;

  private byte[] bytes;
  private int length;

  H2Output(int capacity) {
    this.bytes = new byte[capacity];
  }

  boolean isFull() {
    return length >= FULL;
  }

  boolean isEmpty() {
    return length == 0;
  }

  void add(byte[] rendered) {
    reserve(rendered.length);
    System.arraycopy(rendered, 0, bytes, length, rendered.length);
    length += rendered.length;
  }

  void frame(int type, int flags, int streamId, byte[] payload, int offset, int payloadLength) {
    reserve(H2Frame.HEAD_LENGTH + payloadLength);
    bytes[length++] = (byte) (payloadLength >> 16);
    bytes[length++] = (byte) (payloadLength >> 8);
    bytes[length++] = (byte) payloadLength;
    bytes[length++] = (byte) type;
    bytes[length++] = (byte) flags;
    bytes[length++] = (byte) (streamId >> 24);
    bytes[length++] = (byte) (streamId >> 16);
    bytes[length++] = (byte) (streamId >> 8);
    bytes[length++] = (byte) streamId;
    System.arraycopy(payload, offset, bytes, length, payloadLength);
    length += payloadLength;
  }

  /** Writes everything and starts anew. */
  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
    out.flush();
    length = 0;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
    }
  }
}
