package dev.tollgate.worker.provider;

/** Why a provider said no, once it is certain that it created nothing. */
public enum Rejection {
  /** The same parameters would meet the same no. */
  PERMANENT(false),
  /** No credit, or a spending limit: the account's owner has to act. */
  QUOTA(false),
  /** The credential is missing, wrong or not allowed: the operator has to act. */
  AUTH(false),
  /**
   * The submission key is known to the provider with other parameters. Permanent, and an alarm: one
   * key with two sets of parameters should never have left Tollgate.
   */
  KEY_REUSED(true);

  private final boolean alarm;

  Rejection(boolean alarm) {
    this.alarm = alarm;
  }

  /** Whether this points at a broken rule on our side, which somebody must hear of. */
  public boolean alarm() {
    return alarm;
  }
}
