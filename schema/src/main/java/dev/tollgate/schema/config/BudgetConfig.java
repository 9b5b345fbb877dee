package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;

/**
 * How much may be spent in a period, at a provider or by a producer, held in the database. What
 * would break it is not sent.
 */
public interface BudgetConfig {
  /** Whose spending it bounds: provider or producer. */
  Scope scope();

  /** The provider's name, or the producer: the source of its CloudEvents. */
  String who();

  /** Of which period, in UTC: day or month. */
  Per per();

  /** In the configured currency, with at most six decimals. */
  Money amount();

  /** What becomes of an operation that would break it: wait for the next period, or refuse. */
  @WithDefault("wait")
  WhenExhausted whenExhausted();

  /** Whose spending a budget bounds. */
  enum Scope {
    PROVIDER,
    PRODUCER
  }

  /** The period of a budget. */
  enum Per {
    DAY,
    MONTH
  }

  /** What becomes of what would break a budget. */
  enum WhenExhausted {
    WAIT,
    REFUSE
  }
}
