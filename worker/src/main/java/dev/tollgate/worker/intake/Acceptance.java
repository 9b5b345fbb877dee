package dev.tollgate.worker.intake;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.GenerationRequest;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.ProviderAdapter;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which well-formed requests can be worked on here. Thread-safe. */
@FunctionalInterface
public interface Acceptance {
  /** What stands against a request; empty if nothing does. Does not block. */
  Optional<Refused> refusal(GenerationRequest request);

  /**
   * The same, and no request with {@code retry_of} for a generation beyond this one: whatever asks
   * for another after each failure comes to an end.
   */
  default Acceptance upToGeneration(int max) {
    return request ->
        request.retry() == null || request.generation() <= max
            ? refusal(request)
            : Optional.of(
                new Refused(
                    Code.GENERATION_LIMIT,
                    "it asks for generation %d of its output; at most %d are allowed"
                        .formatted(request.generation(), max)));
  }

  /** Requests for these providers, with parameters that they take. */
  static Acceptance of(Collection<ProviderAdapter> adapters) {
    Map<String, ProviderAdapter> known =
        adapters.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    adapter -> adapter.profile().name(), Function.identity()));
    return request -> {
      ProviderAdapter adapter = known.get(request.provider());
      return adapter == null
          ? Optional.of(
              new Refused(
                  Code.UNKNOWN_PROVIDER,
                  "provider %s is not configured; known are %s"
                      .formatted(request.provider(), known.keySet())))
          : adapter
              .objection(Bytes.copyOf(request.params().bytes()))
              .map(
                  objection ->
                      new Refused(
                          Code.INVALID_EVENT,
                          "provider %s does not take these: %s"
                              .formatted(request.provider(), objection)));
    };
  }
}
