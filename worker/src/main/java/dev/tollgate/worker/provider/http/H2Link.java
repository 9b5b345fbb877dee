package dev.tollgate.worker.provider.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A connected socket, with TLS on it where that is wanted.
 *
 * @param raw the socket below
 * @param top the socket that is read from and written to; may be the same
 */
record H2Link(Socket raw, Socket top) {
  InputStream in() throws IOException {
    return top.getInputStream();
  }

  OutputStream out() throws IOException {
    return top.getOutputStream();
  }

  /** Closes by a reset, without waiting: what the kernel has not sent yet is thrown away. */
  void reset() {
    try {
      raw.setSoLinger(true, 0);
    } catch (IOException _) {
      // closed already
    }
    try {
      raw.close();
    } catch (IOException _) {
      // as above
    }
  }

  /** Closes in good order; may block for as long as the peer does not read. */
  void close() {
    try {
      top.close();
    } catch (IOException _) {
      // nothing of it is used any more
    }
  }
}
