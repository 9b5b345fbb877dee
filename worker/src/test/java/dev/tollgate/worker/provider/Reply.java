package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.http.H2Peer;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer that means the same over either protocol, and how each puts it on the wire.
 *
 * @param interim statuses of heads that come before
 * @param fields names and values of header fields in turn
 * @param length the announced length, -1 if none is
 * @param pieces of the body, each in a chunk or a frame of its own
 * @param then what comes behind the last piece
 */
record Reply(
    List<Integer> interim,
    int status,
    List<String> fields,
    int length,
    List<String> pieces,
    Then then) {

  enum Then {
    /** The proper end, and the connection goes on. */
    END,
    /** Nothing any more. */
    SILENCE,
    FIN,
    RST
  }

  /** A whole answer with its length; {@code fields} are names and values in turn. */
  static Reply of(int status, String body, String... fields) {
    List<String> pieces = body.isEmpty() ? List.of() : List.of(body);
    return new Reply(List.of(), status, List.of(fields), bytes(body), pieces, Then.END);
  }

  /** The same without a length, in two pieces. */
  Reply inPieces() {
    String body = String.join("", pieces);
    List<String> halves = List.of(body.substring(0, 20), body.substring(20));
    return new Reply(interim, status, fields, -1, halves, then);
  }

  Reply announcing(int otherLength) {
    return new Reply(interim, status, fields, otherLength, pieces, then);
  }

  Reply without() {
    return announcing(-1);
  }

  Reply after(int... statuses) {
    List<Integer> heads = new ArrayList<>();
    for (int one : statuses) {
      heads.add(one);
    }
    return new Reply(heads, status, fields, length, pieces, then);
  }

  Reply then(Then other) {
    return new Reply(interim, status, fields, length, pieces, other);
  }

  /** Writes it as HTTP/1.1; returns whether the next request is to be read. */
  boolean write(Socket socket) throws IOException {
    StringBuilder text = new StringBuilder();
    interim.forEach(one -> text.append("HTTP/1.1 ").append(one).append(" Early\r\n\r\n"));
    text.append("HTTP/1.1 ").append(status).append(" Whatever\r\n");
    for (int i = 0; i < fields.size(); i += 2) {
      text.append(fields.get(i)).append(": ").append(fields.get(i + 1)).append("\r\n");
    }
    boolean chunked = length < 0 && status != 204;
    if (chunked) {
      text.append("Transfer-Encoding: chunked\r\n\r\n");
    } else {
      text.append(status == 204 ? "\r\n" : "Content-Length: " + length + "\r\n\r\n");
    }
    for (String piece : pieces) {
      text.append(chunked ? Integer.toHexString(bytes(piece)) + "\r\n" : "");
      text.append(piece).append(chunked ? "\r\n" : "");
    }
    text.append(chunked && then == Then.END ? "0\r\n\r\n" : "");
    RawServer.write(socket, text.toString());
    return switch (then) {
      case END -> true;
      case SILENCE -> RawServer.hang();
      case FIN -> RawServer.fin(socket);
      case RST -> RawServer.reset(socket);
    };
  }

  /** Writes it as HTTP/2. */
  void write(int streamId, H2Peer peer) throws IOException {
    for (int one : interim) {
      peer.head(streamId, one, false);
    }
    List<String> lower = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      lower.add(i % 2 == 0 ? fields.get(i).toLowerCase(java.util.Locale.ROOT) : fields.get(i));
    }
    if (length >= 0) {
      lower.addAll(List.of("content-length", Integer.toString(length)));
    }
    boolean last = then == Then.END;
    peer.head(streamId, status, last && pieces.isEmpty(), lower.toArray(new String[0]));
    for (int i = 0; i < pieces.size(); i++) {
      String piece = pieces.get(i);
      for (int at = 0; at < piece.length(); at += 16_000) {
        int to = Math.min(piece.length(), at + 16_000);
        boolean ends = last && i == pieces.size() - 1 && to == piece.length();
        peer.data(streamId, piece.substring(at, to), ends);
      }
    }
    switch (then) {
      case END, SILENCE -> {}
      case FIN -> peer.fin();
      case RST -> peer.rst();
    }
  }

  private static int bytes(String text) {
    return text.length(); // one byte each: ISO 8859-1
  }
}
