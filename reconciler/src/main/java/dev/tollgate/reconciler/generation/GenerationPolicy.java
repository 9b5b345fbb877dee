package dev.tollgate.reconciler.generation;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.GenerationsConfig;
import dev.tollgate.schema.config.GenerationsConfig.FailureClass;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.store.Regenerations.Due;
import dev.tollgate.worker.provider.Rejection;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * After which failures of one provider the next generation is asked for. Immutable.
 *
 * @param on which failures; never empty
 * @param max most generations of one output, the first one included
 * @param after how long after the failure
 * @param priceMax most that one generation may cost; absent for no bound
 * @param price what one of its operations costs now; absent where nobody knows
 */
public record GenerationPolicy(
    Set<FailureClass> on,
    int max,
    Duration after,
    @Nullable Money priceMax,
    @Nullable Money price) {

  /** What became of a failed operation that was looked at; metrics know it by its word. */
  enum Decision {
    ASK,
    /** It failed in another way than those that are configured. */
    OTHER_FAILURE,
    LIMIT,
    /** Its evidence tells of more than a plain failure: a person looks first. */
    DOUBT,
    /** The deadline is carried over, and has passed. */
    DEADLINE,
    PRICE,
    /** The next generation is stored already. */
    KNOWN,
    /** No request can be made of what is stored. */
    UNREADABLE,
    /** The broker does not take a record as large as the request. */
    TOO_LARGE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public GenerationPolicy {
    on = Set.copyOf(on);
  }

  /** The policies of the providers that have one. */
  public static Map<String, GenerationPolicy> of(TollgateConfig config) {
    Map<String, GenerationPolicy> policies = new HashMap<>();
    config
        .providers()
        .forEach(
            (name, provider) ->
                of(config.generations().policy(), provider)
                    .ifPresent(policy -> policies.put(name, policy)));
    return Map.copyOf(policies);
  }

  private static Optional<GenerationPolicy> of(
      GenerationsConfig.Policy all, ProviderConfig provider) {
    GenerationsConfig.OfProvider own = provider.generations();
    List<FailureClass> on = own.on().or(all::on).orElse(List.of());
    int max = own.max().orElse(all.max());
    if (on.isEmpty() || max < 2) {
      return Optional.empty();
    }
    return Optional.of(
        new GenerationPolicy(
            EnumSet.copyOf(on),
            max,
            own.after().orElse(all.after()),
            own.priceMax().or(all::priceMax).orElse(null),
            provider.price().orElse(null)));
  }

  /**
   * Whether a failure with this reason may be one of those that it is about: the evidence says
   * which.
   */
  boolean concerns(@Nullable Code reason) {
    return reason == Code.PROVIDER_FAILED
        || (reason == Code.PROVIDER_REJECTED && on.contains(FailureClass.REJECTED));
  }

  /** What follows from a failure, by what is stored about it. */
  Decision decide(Due due, int generation) {
    FailureClass failure = classOf(due.reason(), due.why());
    if (failure == null || !on.contains(failure)) {
      return Decision.OTHER_FAILURE;
    }
    if (generation >= max) {
      return Decision.LIMIT;
    }
    if (due.doubt() != null) {
      return Decision.DOUBT;
    }
    Instant deadline = due.earlier().deadline();
    if (deadline != null && !deadline.isAfter(due.now())) {
      return Decision.DEADLINE;
    }
    return affordable() ? Decision.ASK : Decision.PRICE;
  }

  private boolean affordable() {
    return priceMax == null || (price != null && price.micros() <= priceMax.micros());
  }

  /**
   * The word before the first colon of the evidence's sentence tells the failures of one code
   * apart; of a stream, how much of it came stands before that word.
   */
  private static @Nullable FailureClass classOf(@Nullable Code reason, @Nullable String why) {
    if (why == null || reason == null) {
      return null;
    }
    int colon = why.indexOf(':');
    String told = colon < 0 ? why : why.substring(0, colon);
    String word = told.substring(told.lastIndexOf(' ') + 1);
    return switch (reason) {
      case PROVIDER_REJECTED ->
          word.equals(Rejection.PERMANENT.name()) ? FailureClass.REJECTED : null;
      case PROVIDER_FAILED ->
          switch (word) {
            case "failed" -> FailureClass.FAILED;
            case "cancelled" -> FailureClass.CANCELLED;
            case "expired" -> FailureClass.EXPIRED;
            default -> null;
          };
      default -> null;
    };
  }
}
