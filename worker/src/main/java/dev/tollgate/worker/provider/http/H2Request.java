package dev.tollgate.worker.provider.http;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http2.hpack.HPackEncoder;
import org.apache.hc.core5.util.ByteArrayBuffer;

/**
 * Renders the header blocks of one connection's requests, in the order in which they leave. Guarded
 * by the engine's lock.
 */
final class H2Request {
  /**
   * The headers that may stay in the table which both sides keep: equal in every request, and no
   * secret. All others are marked as never to be indexed, by us or by anybody on the way.
   */
  private static final Set<String> INDEXED =
      Set.of(
          ":method",
          ":scheme",
          ":authority",
          "accept",
          "accept-encoding",
          "content-type",
          "user-agent");

  private static final int SIZE_UPDATE = 0x20;
  private static final int SIZE_PREFIX_MAX = 0x1f;

  private final HPackEncoder encoder =
      new HPackEncoder(H2Frame.HEADER_TABLE_DEFAULT, StandardCharsets.US_ASCII);
  private int tableSize = H2Frame.HEADER_TABLE_DEFAULT;
  private boolean tableShrank;

  H2Request() {
    encoder.setMaxTableSize(tableSize);
  }

  /** The header fields of {@code call}. */
  static List<Header> fields(HttpCall call, String scheme, String authority) {
    List<Header> fields = new ArrayList<>();
    add(fields, ":method", call.method());
    add(fields, ":scheme", scheme);
    add(fields, ":authority", authority);
    add(fields, ":path", call.target());
    add(fields, "user-agent", "tollgate");
    add(fields, "accept-encoding", "identity");
    call.headers().forEach((name, value) -> add(fields, name.toLowerCase(Locale.ROOT), value));
    call.body()
        .ifPresent(
            body -> {
              add(fields, "content-type", "application/json");
              add(fields, "content-length", Integer.toString(body.length));
            });
    return fields;
  }

  /** The peer's table has room for {@code size} bytes; ours only ever shrinks to that. */
  void peerTable(int size) {
    if (Integer.compareUnsigned(size, tableSize) < 0) {
      tableSize = size;
      tableShrank = true;
      encoder.setMaxTableSize(size);
    }
  }

  /** Renders the head of a request as HEADERS and, if it is long, CONTINUATION. */
  void render(int streamId, List<Header> fields, boolean endStream, H2Output out)
      throws CharacterCodingException {
    ByteArrayBuffer block = new ByteArrayBuffer(512);
    if (tableShrank) {
      tableShrank = false;
      announceTable(block);
    }
    encoder.encodeHeaders(block, fields, true);
    int type = H2Frame.HEADERS;
    int flags = endStream ? H2Frame.END_STREAM : 0;
    for (int at = 0; at < block.length(); at += H2Frame.PAYLOAD_MAX) {
      int n = Math.min(H2Frame.PAYLOAD_MAX, block.length() - at);
      boolean last = at + n == block.length();
      out.frame(type, last ? flags | H2Frame.END_HEADERS : flags, streamId, block.array(), at, n);
      type = H2Frame.CONTINUATION;
      flags = 0;
    }
  }

  /** A table that shrank has to be announced with the next block; the encoder does not. */
  private void announceTable(ByteArrayBuffer block) {
    if (tableSize < SIZE_PREFIX_MAX) {
      block.append(SIZE_UPDATE | tableSize);
      return;
    }
    block.append(SIZE_UPDATE | SIZE_PREFIX_MAX);
    int rest = tableSize - SIZE_PREFIX_MAX;
    while (rest >= 0x80) {
      block.append((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    block.append(rest);
  }

  private static void add(List<Header> fields, String name, String value) {
    fields.add(new BasicHeader(name, value, !INDEXED.contains(name)));
  }
}
