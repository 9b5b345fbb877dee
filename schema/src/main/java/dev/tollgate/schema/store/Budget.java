package dev.tollgate.schema.store;

import dev.tollgate.schema.config.BudgetConfig;
import java.util.Locale;

/**
 * How much may be spent in a period. Immutable.
 *
 * @param who a provider's name, or the source of a producer's events
 * @param micros in millionths of the configured currency
 * @param refuse whether what would break it is refused, and does not wait for the next period
 */
public record Budget(
    BudgetConfig.Scope scope, String who, BudgetConfig.Per per, long micros, boolean refuse) {

  public static Budget of(BudgetConfig config) {
    return new Budget(
        config.scope(),
        config.who(),
        config.per(),
        config.amount().micros(),
        config.whenExhausted() == BudgetConfig.WhenExhausted.REFUSE);
  }

  String scopeWord() {
    return scope.name().toLowerCase(Locale.ROOT);
  }

  String perWord() {
    return per.name().toLowerCase(Locale.ROOT);
  }
}
