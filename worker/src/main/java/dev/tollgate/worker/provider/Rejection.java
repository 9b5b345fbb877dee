package dev.tollgate.worker.provider;

/** Why a provider said no, once it is certain that it created nothing. */
public enum Rejection {
  /** The same parameters would meet the same no. */
  PERMANENT(false, false),
  /** No credit, or a spending limit: the account's owner has to act. */
  QUOTA(true, false),
  /** The credential is missing, wrong or not allowed: the operator has to act. */
  AUTH(true, false),
  /**
   * The submission key is known to the provider with other parameters. Permanent, and an alarm: one
   * key with two sets of parameters should never have left Tollgate.
   */
  KEY_REUSED(false, true);

  private final boolean ofAccount;
  private final boolean alarm;

  Rejection(boolean ofAccount, boolean alarm) {
    this.ofAccount = ofAccount;
    this.alarm = alarm;
  }

  /**
   * Whether it is the account or the credential that was refused: whatever is sent meets the same
   * no until somebody mends it, and then none of it does.
   */
  public boolean ofAccount() {
    return ofAccount;
  }

  /** Whether this points at a broken rule on our side, which somebody must hear of. */
  public boolean alarm() {
    return alarm;
  }
}
