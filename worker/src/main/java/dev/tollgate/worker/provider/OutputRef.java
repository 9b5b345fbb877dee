package dev.tollgate.worker.provider;

import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where a finished task's output is, and what it should be.
 *
 * @param url the absolute address; its query may be a signature, so it is not for logs
 * @param sha256 the digest that the provider names, 64 lower-case hex digits
 * @param length the length in bytes that the provider names
 * @param contentType the media type that the provider names
 */
public record OutputRef(
    URI url, Optional<String> sha256, OptionalLong length, Optional<String> contentType) {
  /** Without the query. */
  @Override
  public String toString() {
    return "OutputRef[" + url.getScheme() + "://" + url.getRawAuthority() + url.getRawPath() + "]";
  }
}
