package dev.tollgate.worker.loop;

/** One round of a loop. */
@FunctionalInterface
public interface Step {
  /**
   * Does what is due now.
   *
   * @return whether more is likely to be due at once; otherwise the loop waits until it is woken or
   *     its pause is over
   * @throws InterruptedException when the loop is being closed
   */
  boolean runOnce() throws InterruptedException;
}
