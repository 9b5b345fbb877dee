package dev.tollgate.worker.intake;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.worker.retention.Horizon;
import dev.tollgate.worker.retention.Horizons;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Refuses requests that are older than what is remembered and whose key is not known: whoever sent
 * them has long stopped waiting, and what became of them may have been forgotten elsewhere. A known
 * key answers whatever its message's age. Thread-safe.
 */
public final class OldRequests {
  private final OperationStore store;
  private final Supplier<Optional<Horizons.Known>> horizons;
  private final Supplier<Optional<Instant>> now;

  /**
   * @param horizons empty while they are not known: nothing is too old then
   * @param now the database's clock; empty while it is not known
   */
  public OldRequests(
      OperationStore store,
      Supplier<Optional<Horizons.Known>> horizons,
      Supplier<Optional<Instant>> now) {
    this.store = store;
    this.horizons = horizons;
    this.now = now;
  }

  /**
   * Those that may be stored, in their order. One statement, and none where nothing looks old.
   *
   * @param refused hears of each that may not, and why
   */
  List<Arrival> recent(List<Arrival> arrivals, BiConsumer<Arrival, Refused> refused) {
    Optional<Horizons.Known> known = horizons.get();
    Optional<Instant> time = now.get();
    if (known.isEmpty() || time.isEmpty()) {
      return arrivals;
    }
    List<Arrival> recent = new ArrayList<>(arrivals.size());
    List<Arrival> old = new ArrayList<>();
    for (Arrival arrival : arrivals) {
      (refusal(arrival, known.get(), time.get()).isPresent() ? old : recent).add(arrival);
    }
    if (old.isEmpty()) {
      return arrivals;
    }
    Set<OperationKey> stored = stored(old);
    List<Arrival> allowed = new ArrayList<>(arrivals.size());
    for (Arrival arrival : arrivals) {
      Optional<Refused> refusal = refusal(arrival, known.get(), time.get());
      if (refusal.isEmpty() || stored.contains(arrival.request().key())) {
        allowed.add(arrival);
      } else {
        refused.accept(arrival, refusal.get());
      }
    }
    return allowed;
  }

  private Set<OperationKey> stored(Collection<Arrival> old) {
    Set<OperationKey> stored = new HashSet<>();
    store
        .find(old.stream().map(arrival -> arrival.request().key()).toList())
        .forEach(intent -> stored.add(intent.key()));
    return stored;
  }

  private static Optional<Refused> refusal(Arrival arrival, Horizons.Known known, Instant now) {
    return DeadLetterHeaders.firstSentAt(arrival.record())
        .flatMap(sentAt -> refusal(sentAt, known.of(arrival.request().provider()), now));
  }

  /**
   * What stands against a request whose key is not known because of its age.
   *
   * @param sentAt when it was sent for the first time
   */
  public static Optional<Refused> refusal(Instant sentAt, Horizon horizon, Instant now) {
    Duration age = Duration.between(sentAt, now);
    return age.compareTo(horizon.time()) <= 0
        ? Optional.empty()
        : Optional.of(
            new Refused(
                Code.TOO_OLD,
                "it was sent at %s, longer ago than anything is remembered (%s, because of %s), and its key is not known; publish it anew if it is still wanted"
                    .formatted(sentAt, horizon.time(), horizon.because())));
  }
}
