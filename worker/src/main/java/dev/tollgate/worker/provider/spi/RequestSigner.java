package dev.tollgate.worker.provider.spi;

import java.util.Map;
import java.util.Optional;

/** Proves to a provider who makes a call. Thread-safe; does not block. */
@FunctionalInterface
public interface RequestSigner {
  /**
   * The headers to add to a request, which is sent exactly as given here, with them.
   *
   * @throws RuntimeException if it cannot be signed: then nothing is sent
   */
  Map<String, String> sign(Request request);

  /**
   * A request that is about to be sent.
   *
   * @param host the {@code Host} header: name, and port if it is not the usual one
   * @param path the raw path
   * @param query the raw query, empty if there is none
   * @param headers what it carries so far
   */
  record Request(
      String method,
      String host,
      String path,
      String query,
      Map<String, String> headers,
      Optional<byte[]> body) {}
}
