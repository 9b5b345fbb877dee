package dev.tollgate.schema.config;

import java.util.Optional;

/** What people may decide about operations alone. */
public interface ReviewConfig {
  /**
   * A resend without proof of what costs more than this, or nobody knows how much, takes two
   * people. Without it one is enough.
   */
  Optional<Money> twoPeopleAbove();
}
