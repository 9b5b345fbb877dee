package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/**
 * What becomes of an operation of which nobody can tell whether it created a task: one row of a
 * table. The first row that fits decides, in the order of the rows' names; where none fits, a
 * person does.
 */
public interface UnknownRuleConfig {
  /** Only operations of this kind. */
  Optional<String> kind();

  /** Only operations of this provider. */
  Optional<String> provider();

  /** Only operations that cost at most this; one whose price is not known does not fit. */
  Optional<Money> priceAtMost();

  /** What is done: ask, wait, resend, fail. */
  Then then();

  /**
   * How long after its first attempt it is waited, for wait and for fail, if its deadline is not
   * sooner.
   */
  @WithDefault("24h")
  Duration after();

  /** What can be done. */
  enum Then {
    /** A person decides. */
    ASK,
    /** It is looked for again and again until then; after that a person decides. */
    WAIT,
    /**
     * It is sent once more, at the risk of a second payment, unless its deadline has passed. After
     * that a person decides.
     */
    RESEND,
    /** It is looked for until then, and given up after that: what it may have cost is not known. */
    FAIL
  }
}
