package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * New generations of an output: separately paid tries after one that failed, or whose result was
 * rejected. A producer or a person asks for one; by itself none is made unless the policy is told
 * after which failures.
 */
public interface GenerationsConfig {
  /**
   * Most generations of one output that a request with {@code retry_of} may ask for, whoever it is
   * from. What asks for more is a dead letter.
   */
  @WithDefault("10")
  int max();

  /** What is asked for by itself. */
  Policy policy();

  /** The policy, for all providers. */
  interface Policy {
    /** After which failures: failed, cancelled, expired, rejected. None, if absent: it is off. */
    Optional<List<FailureClass>> on();

    /** Most generations of one output that the policy goes up to, the first one included. */
    @WithDefault("2")
    int max();

    /** How long after the failure: what is heard late of the failed task is known by then. */
    @WithDefault("1m")
    Duration after();

    /** Most that one generation may cost. Where it is set and the price is not known, none is. */
    Optional<Money> priceMax();
  }

  /** The policy for one provider: what is given goes before what holds for all. */
  interface OfProvider {
    Optional<List<FailureClass>> on();

    /** 1 for none. */
    OptionalInt max();

    Optional<Duration> after();

    Optional<Money> priceMax();
  }

  /** How an operation failed. */
  enum FailureClass {
    /** The provider took the task and says that it failed. */
    FAILED,
    /** The provider took the task and says that it was cancelled. */
    CANCELLED,
    /** The provider took the task and says that it expired. */
    EXPIRED,
    /**
     * The provider refused to create a task, with a refusal that is documented to be final. The
     * same parameters usually meet the same again.
     */
    REJECTED
  }
}
