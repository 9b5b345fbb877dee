package dev.tollgate.worker.provider;

import java.net.URI;
import java.time.Duration;

/**
 * One provider, as configured.
 *
 * @param name the name that requests use: {@code [a-z][a-z0-9_-]{0,23}}
 * @param base the base address, {@code http} or {@code https}, without query or fragment
 * @param apiKey the credential
 * @param recourse what it offers after an unknown outcome
 * @param concurrency the most submits that may be under way at once; positive
 * @param timing how long things last there
 */
public record ProviderProfile(
    String name,
    URI base,
    Secret apiKey,
    Recourse recourse,
    int concurrency,
    ProviderTiming timing) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming everything that is out of range
   */
  public ProviderProfile {
    StringBuilder wrong = new StringBuilder();
    if (!name.matches("[a-z][a-z0-9_-]{0,23}")) {
      wrong.append("malformed name; ");
    }
    if (!("http".equals(base.getScheme()) || "https".equals(base.getScheme()))
        || base.getHost() == null
        || base.getRawUserInfo() != null
        || base.getRawQuery() != null
        || base.getRawFragment() != null) {
      wrong.append("base must be an http(s) address without user, query or fragment; ");
    }
    if (concurrency < 1) {
      wrong.append("concurrency must be positive; ");
    }
    if (recourse == Recourse.IDEMPOTENT_CREATE && timing.promiseRetention().isEmpty()) {
      wrong.append("an idempotency promise needs its retention; ");
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("provider " + name + ": " + wrong);
    }
  }

  /** See {@link ProviderTiming#horizonAfter()}; the submit deadline is counted by the caller. */
  public Duration horizonAfter() {
    return timing.horizonAfter();
  }
}
