package dev.tollgate.reconciler.look;

/** Hears of looks. Called by many threads; must not block or throw. */
@FunctionalInterface
public interface LookListener {
  /**
   * A look is over.
   *
   * @param result simple name of the finding, or {@code failed}
   */
  void looked(String provider, String result);
}
