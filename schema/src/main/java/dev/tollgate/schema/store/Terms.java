package dev.tollgate.schema.store;

import java.time.Duration;

/**
 * What the database must know of a provider to store a claim. Immutable.
 *
 * @param provider the provider's name
 * @param sendWithin how long after the claim the first byte may still leave
 * @param lease how long the claim holds: at least {@code sendWithin} plus the wait for the answer
 *     plus a grace
 * @param absentAfter how long after the last moment of sending "not found" begins to prove
 *     something (rule 7)
 * @param promise how long after its first attempt an operation may be sent again under the same key
 * @param carries bit set: by what the tasks of these sends can be found again. Its bits are the
 *     worker's, but for those named here
 * @param sendsTo digests of the place, in the upper half, and of how requests look there
 */
public record Terms(
    String provider,
    Duration sendWithin,
    Duration lease,
    Duration absentAfter,
    Duration promise,
    int carries,
    long sendsTo) {

  /** Bit of {@link #carries}: a key under an idempotency promise. The statements read it too. */
  public static final int KEY = 1;

  /**
   * Bit of {@link #carries}: a reference that the provider's events name. The statements read it
   * too.
   */
  public static final int EVENT_REFERENCE = 1 << 4;

  public Terms {
    if (lease.compareTo(sendWithin) <= 0) {
      throw new IllegalArgumentException(
          "lease of " + provider + " must be longer than the time in which a send may begin");
    }
  }
}
