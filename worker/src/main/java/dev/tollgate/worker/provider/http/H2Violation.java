package dev.tollgate.worker.provider.http;

import java.io.IOException;
import org.apache.hc.core5.http2.H2Error;

/** The peer broke the protocol in a way that ends the connection. */
final class H2Violation extends IOException {
  private final H2Error code;

  H2Violation(H2Error code, String what) {
    super("the peer broke HTTP/2 (" + code + "): " + what);
    this.code = code;
  }

  H2Error code() {
    return code;
  }
}
