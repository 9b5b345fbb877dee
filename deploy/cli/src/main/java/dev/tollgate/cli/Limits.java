package dev.tollgate.cli;

import dev.tollgate.reconciler.generation.GenerationPolicy;
import dev.tollgate.schema.config.TollgateConfig;
import java.util.Optional;

/**
 * How often one operation may be sent, and how often its output may be tried anew: two counts that
 * have nothing to do with each other.
 *
 * @param attempts transport attempts of one operation
 * @param generations generations of one output that {@code retry_of} may ask for
 * @param policy how many of them the policy goes up to; 1 where it is off
 */
record Limits(int attempts, int generations, int policy) {
  static Limits of(TollgateConfig config, String provider) {
    return new Limits(
        config.worker().attemptsMax(),
        config.generations().max(),
        Optional.ofNullable(GenerationPolicy.of(config).get(provider))
            .map(GenerationPolicy::max)
            .orElse(1));
  }
}
