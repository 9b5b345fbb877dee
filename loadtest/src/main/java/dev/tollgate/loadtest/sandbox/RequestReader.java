package dev.tollgate.loadtest.sandbox;

import dev.tollgate.loadtest.sandbox.HttpRequest.Headers;
import dev.tollgate.loadtest.sandbox.HttpRequest.Malformed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads HTTP/1.1 requests from one socket. Waiting is bounded by a deadline, not by the gap between
 * two bytes, so that a client that drips cannot hold a request open. Confined to its connection's
 * thread.
 */
final class RequestReader {
  private static final int HEAD_BYTES_MAX = 16 << 10;
  private static final int BODY_BYTES_MAX = 1 << 20;
  private static final int CHUNK_LINE_BYTES_MAX = 1024;
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final long idleTimeoutNanos;
  private final LongSupplier nanoTime;
  private final Deadline deadline;
  private byte[] buffer = new byte[2048];
  private int position;
  private int end;

  RequestReader(Socket socket, Deadline deadline, long idleTimeoutNanos, LongSupplier nanoTime)
      throws IOException {
    this.deadline = deadline;
    this.socket = socket;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
    this.idleTimeoutNanos = idleTimeoutNanos;
    this.nanoTime = nanoTime;
  }

  /**
   * The next request.
   *
   * @return null when the client has gone, or stayed silent or incomplete for the idle timeout
   * @throws Malformed when the bytes are not a request that this server takes
   */
  @Nullable HttpRequest next() throws IOException, Malformed {
    if (!deadline.arm(nanoTime.getAsLong() + idleTimeoutNanos)) {
      return null;
    }
    int headEnd = readHead();
    if (headEnd < 0) {
      return null;
    }
    HttpRequest request = parseHead(headEnd);
    position = headEnd;
    boolean hasBody = request.headers.chunked || request.headers.contentLength > 0;
    if (hasBody && !deadline.arm(nanoTime.getAsLong() + idleTimeoutNanos)) {
      return null;
    }
    return readBody(request) && deadline.disarm(nanoTime.getAsLong()) ? request : null;
  }

  /** Returns the offset after the blank line, or -1 when the stream ended before. */
  private int readHead() throws IOException, Malformed {
    int from = position;
    while (true) {
      for (int i = Math.max(from, position + 3); i < end; i++) {
        if (buffer[i] == '\n'
            && buffer[i - 1] == '\r'
            && buffer[i - 2] == '\n'
            && buffer[i - 3] == '\r') {
          return i + 1;
        }
      }
      if (end - position >= HEAD_BYTES_MAX) {
        throw new Malformed(431, "header_too_large", "request head over " + HEAD_BYTES_MAX);
      }
      int scanned = end - position;
      if (fill() < 0) {
        return -1;
      }
      from = position + scanned;
    }
  }

  private HttpRequest parseHead(int headEnd) throws Malformed {
    int lineEnd = lineEnd(position);
    int firstSpace = indexOf((byte) ' ', position, lineEnd);
    int secondSpace = firstSpace < 0 ? -1 : indexOf((byte) ' ', firstSpace + 1, lineEnd);
    if (secondSpace < 0) {
      throw new Malformed(400, "bad_request", "not an HTTP request line");
    }
    String version = text(secondSpace + 1, lineEnd);
    if (!version.equals("HTTP/1.1") && !version.equals("HTTP/1.0")) {
      throw new Malformed(400, "bad_request", "only HTTP/1.1 is served");
    }
    Headers headers = new Headers();
    headers.close = version.equals("HTTP/1.0");
    int start = lineEnd + 2;
    while (start < headEnd - 2) {
      int stop = lineEnd(start);
      parseHeader(headers, start, stop);
      start = stop + 2;
    }
    if (headers.chunked && headers.contentLength >= 0) {
      throw new Malformed(400, "bad_request", "both Content-Length and Transfer-Encoding");
    }
    return new HttpRequest(text(position, firstSpace), text(firstSpace + 1, secondSpace), headers);
  }

  private void parseHeader(Headers headers, int start, int stop) throws Malformed {
    int colon = indexOf((byte) ':', start, stop);
    if (colon <= start || buffer[start] == ' ' || buffer[start] == '\t') {
      throw new Malformed(400, "bad_request", "not a header line");
    }
    String value = text(colon + 1, stop).strip();
    switch (text(start, colon).toLowerCase(Locale.ROOT)) {
      case "content-length" -> {
        if (headers.contentLength >= 0) {
          throw new Malformed(400, "bad_request", "two Content-Length headers");
        }
        headers.contentLength = length(value, 10);
      }
      case "transfer-encoding" -> {
        if (!value.equalsIgnoreCase("chunked")) {
          throw new Malformed(400, "bad_request", "only the chunked transfer coding is taken");
        }
        headers.chunked = true;
      }
      case "authorization" -> headers.authorization = value;
      case "idempotency-key" -> headers.idempotencyKey = value;
      case "connection" -> headers.close |= value.equalsIgnoreCase("close");
      case "expect" -> headers.expectContinue = value.equalsIgnoreCase("100-continue");
      default -> {
        // of no concern here
      }
    }
  }

  /** Returns false when the stream ended in the middle. */
  private boolean readBody(HttpRequest request) throws IOException, Malformed {
    Headers headers = request.headers;
    if (headers.contentLength > BODY_BYTES_MAX) {
      throw new Malformed(413, "body_too_large", "request body over " + BODY_BYTES_MAX);
    }
    boolean comes = headers.chunked || headers.contentLength > 0;
    if (comes && headers.expectContinue && position == end) {
      out.write(CONTINUE);
    }
    if (headers.chunked) {
      byte[] body = readChunks();
      if (body == null) {
        return false;
      }
      request.body = body;
      return true;
    }
    if (!comes) {
      return true;
    }
    request.body = new byte[(int) headers.contentLength];
    return readFully(request.body, 0);
  }

  private byte @Nullable [] readChunks() throws IOException, Malformed {
    byte[] body = {};
    while (true) {
      String line = readLine();
      if (line == null) {
        return null;
      }
      int semicolon = line.indexOf(';');
      long wanted = length((semicolon < 0 ? line : line.substring(0, semicolon)).strip(), 16);
      if (body.length + wanted > BODY_BYTES_MAX) {
        throw new Malformed(413, "body_too_large", "request body over " + BODY_BYTES_MAX);
      }
      int size = (int) wanted;
      if (size == 0) {
        return skipTrailers() ? body : null;
      }
      int before = body.length;
      body = Arrays.copyOf(body, before + size);
      if (!readFully(body, before)) {
        return null;
      }
      String separator = readLine();
      if (separator == null) {
        return null;
      }
      if (!separator.isEmpty()) {
        throw new Malformed(400, "bad_request", "chunk longer than its size");
      }
    }
  }

  private boolean skipTrailers() throws IOException, Malformed {
    while (true) {
      String line = readLine();
      if (line == null || line.isEmpty()) {
        return line != null;
      }
    }
  }

  private @Nullable String readLine() throws IOException, Malformed {
    int from = position;
    while (true) {
      int newline = indexOf((byte) '\n', from, end);
      if (newline > position && buffer[newline - 1] == '\r') {
        String line = text(position, newline - 1);
        position = newline + 1;
        return line;
      }
      if (newline >= 0 || end - position > CHUNK_LINE_BYTES_MAX) {
        throw new Malformed(400, "bad_request", "not a chunk line");
      }
      int scanned = end - position;
      if (fill() < 0) {
        return null;
      }
      from = position + scanned;
    }
  }

  private boolean readFully(byte[] target, int from) throws IOException {
    int buffered = Math.min(target.length - from, end - position);
    System.arraycopy(buffer, position, target, from, buffered);
    position += buffered;
    int filled = from + buffered;
    while (filled < target.length) {
      int read = in.read(target, filled, target.length - filled);
      if (read < 0) {
        return false;
      }
      filled += read;
    }
    return true;
  }

  /** Reads once more behind {@code end}; moves or enlarges the buffer first when it is full. */
  private int fill() throws IOException {
    if (position == end) {
      position = 0;
      end = 0;
    } else if (end == buffer.length) {
      byte[] target = position == 0 ? new byte[buffer.length * 2] : buffer;
      System.arraycopy(buffer, position, target, 0, end - position);
      buffer = target;
      end -= position;
      position = 0;
    }
    int read = in.read(buffer, end, buffer.length - end);
    end += Math.max(read, 0);
    return read;
  }

  /**
   * Looks, for a millisecond, whether the client closed its side. What it sent meanwhile is kept.
   */
  boolean clientGone() {
    if (position < end) {
      return false;
    }
    try {
      socket.setSoTimeout(1);
      boolean gone = fill() < 0;
      socket.setSoTimeout(0);
      return gone;
    } catch (SocketTimeoutException _) {
      return stillThere();
    } catch (IOException _) {
      return true;
    }
  }

  private boolean stillThere() {
    try {
      socket.setSoTimeout(0);
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  /** Waits, without a limit, until the client closes or resets; what it sends is thrown away. */
  void waitUntilClientGoes() {
    try {
      while (in.read(buffer) >= 0) {
        // thrown away: nobody answers on this connection any more
      }
    } catch (IOException _) {
      // a reset is a way to go, too
    }
  }

  private int lineEnd(int start) throws Malformed {
    int newline = indexOf((byte) '\n', start, end);
    if (newline <= start || buffer[newline - 1] != '\r') {
      throw new Malformed(400, "bad_request", "line without CR LF");
    }
    return newline - 1;
  }

  private int indexOf(byte wanted, int from, int to) {
    for (int i = from; i < to; i++) {
      if (buffer[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  private String text(int from, int to) {
    return new String(buffer, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private static long length(String digits, int radix) throws Malformed {
    boolean number = !digits.isEmpty() && digits.length() <= 9;
    for (int i = 0; i < digits.length(); i++) {
      number &= Character.digit(digits.charAt(i), radix) >= 0;
    }
    if (!number) {
      throw new Malformed(400, "bad_request", "not a length");
    }
    return Long.parseLong(digits, radix);
  }
}
