package dev.tollgate.worker;

import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.descriptor.Capability;
import dev.tollgate.worker.provider.descriptor.Capability.Kind;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which of a descriptor's capabilities are in use. An operator can leave some out, and vouches for
 * those that the descriptor leaves to the operator; nobody can add one. Stateless.
 */
final class Offers {
  private Offers() {}

  static List<Recourse> of(
      ProviderConfig config, Descriptor descriptor, boolean callbacksReachUs, Faults faults) {
    List<String> given = config.offers().orElse(List.of());
    refuseOthers(descriptor, given, faults);
    List<Recourse> recourses = new ArrayList<>();
    for (Capability capability : descriptor.capabilities()) {
      Optional<Recourse> recourse = capability.kind().recourse();
      boolean asked = given.contains(capability.kind().word());
      boolean documented = config.offers().isEmpty() && capability.source().isPresent();
      if (recourse.isEmpty() || !(asked || documented)) {
        continue;
      }
      Optional<String> missing = missing(config, descriptor, capability, callbacksReachUs);
      if (missing.isEmpty()) {
        recourses.add(recourse.get());
      } else if (asked) {
        faults.add(capability.kind().word() + " needs " + missing.get());
      }
    }
    return recourses;
  }

  /** How long the provider publishes that it remembers an idempotency key. */
  static Optional<Duration> publishedRetention(Descriptor descriptor) {
    return descriptor.capabilities().stream()
        .filter(capability -> capability.kind() == Kind.IDEMPOTENT_CREATE)
        .findFirst()
        .flatMap(Capability::retention);
  }

  private static Optional<String> missing(
      ProviderConfig config,
      Descriptor descriptor,
      Capability capability,
      boolean callbacksReachUs) {
    for (Kind needed : capability.needs()) {
      boolean left = config.offers().isPresent() && !config.offers().get().contains(needed.word());
      if (left || (needed == Kind.CALLBACK_PER_REQUEST && !callbacksReachUs)) {
        return Optional.of(needed.word() + ", without which the provider is given nothing to show");
      }
    }
    return switch (capability.kind()) {
      case IDEMPOTENT_CREATE ->
          config.promiseRetention().or(() -> publishedRetention(descriptor)).isPresent()
              ? Optional.empty()
              : Optional.of("promise-retention: its documents do not say how long a key is kept");
      case CALLBACK_PER_REQUEST ->
          callbacksReachUs
              ? Optional.empty()
              : Optional.of("tollgate.callbacks: the address at which the provider reports");
      default -> Optional.empty();
    };
  }

  private static void refuseOthers(Descriptor descriptor, List<String> given, Faults faults) {
    for (String word : given) {
      boolean known =
          word.equals("none")
              || descriptor.capabilities().stream().anyMatch(c -> c.kind().word().equals(word));
      if (!known) {
        faults.add(
            "offers names '%s', which %s does not have; it has %s"
                .formatted(
                    word,
                    descriptor.name(),
                    descriptor.capabilities().stream()
                        .map(c -> c.kind().word())
                        .collect(Collectors.joining(", "))));
      }
    }
  }
}
