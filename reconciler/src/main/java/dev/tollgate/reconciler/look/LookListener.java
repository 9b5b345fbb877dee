package dev.tollgate.reconciler.look;

/** Hears of looks. Called by many threads; must not block or throw. */
public interface LookListener {
  /**
   * A look is over.
   *
   * @param result simple name of the finding, or {@code failed}
   */
  void looked(String provider, String result);

  /**
   * An operation has a task beyond the one it needs.
   *
   * @param ended {@code cancelled, too_late, not_cancellable} or {@code not_answered}
   */
  void duplicate(String provider, String ended);
}
