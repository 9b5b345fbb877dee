package dev.tollgate.worker.provider;

import java.util.Map;
import java.util.Set;

/**
 * What a provider documents about the answers to a create. {@link VerdictRules} rejects and
 * throttles on this ground only. Immutable.
 *
 * @param notCreated the statuses which, with the provider's own error shape, mean that nothing was
 *     created
 * @param throttles for a status, the error codes that mean "later" and are documented to come
 *     before anything is created
 * @param keyInUse the error codes that mean "the first request with this key is still running"
 * @param keyReused the error codes that mean "this key came before with other parameters"
 * @param quota the error codes that mean "no credit", besides status 402
 * @param undecided the error codes that prove nothing although their status is in {@code
 *     notCreated} (a "reference exists already", for one)
 * @param refusedIn2xx the error codes of an error object in a 2xx answer that mean nothing was
 *     created
 */
public record CreateFacts(
    Set<Integer> notCreated,
    Map<Integer, Set<String>> throttles,
    Set<String> keyInUse,
    Set<String> keyReused,
    Set<String> quota,
    Set<String> undecided,
    Set<String> refusedIn2xx) {

  /**
   * Copies and checks.
   *
   * @throws IllegalArgumentException if a status could never mean "not created"
   */
  public CreateFacts {
    notCreated = Set.copyOf(notCreated);
    throttles = Map.copyOf(throttles);
    keyInUse = Set.copyOf(keyInUse);
    keyReused = Set.copyOf(keyReused);
    quota = Set.copyOf(quota);
    undecided = Set.copyOf(undecided);
    refusedIn2xx = Set.copyOf(refusedIn2xx);
    for (int status : notCreated) {
      // timeouts, conflicts, too-early and server errors say nothing about creation
      if (status < 400 || status > 499 || Set.of(408, 409, 425, 429).contains(status)) {
        throw new IllegalArgumentException("status " + status + " cannot mean 'not created'");
      }
    }
  }

  /** What the task API documents. */
  public static CreateFacts taskApi() {
    return new CreateFacts(
        Set.of(400, 401, 402, 403, 404, 405, 413, 415, 422),
        Map.of(429, Set.of("rate_limited")),
        Set.of("idempotency_key_in_use"),
        Set.of("idempotency_key_reused"),
        Set.of(),
        Set.of(),
        Set.of());
  }
}
