package dev.tollgate.worker.provider.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http2.H2Error;

/** The frames of RFC 9113: their numbers, and those that are rendered whole. */
final class H2Frame {
  static final int DATA = 0x0;
  static final int HEADERS = 0x1;
  static final int PRIORITY = 0x2;
  static final int RST_STREAM = 0x3;
  static final int SETTINGS = 0x4;
  static final int PUSH_PROMISE = 0x5;
  static final int PING = 0x6;
  static final int GOAWAY = 0x7;
  static final int WINDOW_UPDATE = 0x8;
  static final int CONTINUATION = 0x9;

  static final int ACK = 0x1;
  static final int END_STREAM = 0x1;
  static final int END_HEADERS = 0x4;
  static final int PADDED = 0x8;
  static final int WITH_PRIORITY = 0x20;

  static final int HEADER_TABLE_SIZE = 0x1;
  static final int ENABLE_PUSH = 0x2;
  static final int MAX_CONCURRENT_STREAMS = 0x3;
  static final int INITIAL_WINDOW_SIZE = 0x4;
  static final int MAX_FRAME_SIZE = 0x5;
  static final int MAX_HEADER_LIST_SIZE = 0x6;

  static final int HEAD_LENGTH = 9;

  /** What every endpoint takes, and all that we send and take. */
  static final int PAYLOAD_MAX = 16 * 1024;

  static final int WINDOW_DEFAULT = 65_535;
  static final int HEADER_TABLE_DEFAULT = 4096;
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] NOTHING = {};

  private H2Frame() {}

  /** A SETTINGS frame of pairs of identifier and value. */
  static byte[] settings(int... pairs) {
    ByteBuffer payload = ByteBuffer.allocate(pairs.length / 2 * 6);
    for (int i = 0; i < pairs.length; i += 2) {
      payload.putShort((short) pairs[i]).putInt(pairs[i + 1]);
    }
    return frame(SETTINGS, 0, 0, payload.array());
  }

  static byte[] settingsAck() {
    return frame(SETTINGS, ACK, 0, NOTHING);
  }

  static byte[] ping() {
    return frame(PING, 0, 0, new byte[8]);
  }

  static byte[] pingAck(byte[] payload) {
    return frame(PING, ACK, 0, payload);
  }

  static byte[] reset(int streamId, H2Error code) {
    return frame(RST_STREAM, 0, streamId, number(code.getCode()));
  }

  static byte[] windowUpdate(int streamId, int increment) {
    return frame(WINDOW_UPDATE, 0, streamId, number(increment));
  }

  /** Says goodbye; a server never has a stream of its own here, so the last one is 0. */
  static byte[] goAway(H2Error code) {
    return frame(GOAWAY, 0, 0, ByteBuffer.allocate(8).putInt(0).putInt(code.getCode()).array());
  }

  /** The code as RFC 9113 names it, or its number. */
  static String name(int code) {
    H2Error known = H2Error.getByCode(code);
    return known == null ? "code " + Integer.toUnsignedString(code) : known.name();
  }

  private static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  private static byte[] frame(int type, int flags, int streamId, byte[] payload) {
    H2Output one = new H2Output(HEAD_LENGTH + payload.length);
    one.frame(type, flags, streamId, payload, 0, payload.length);
    return one.toBytes();
  }
}
