package dev.tollgate.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Testcontainers turns names of its settings into names of environment variables by the rules of
 * the default locale, so in Turkish it overlooks each variable with an I in its name. Its calls
 * that read settings are made here, one at a time, with the default locale set aside.
 */
final class RootLocale {
  private static final Object LOCK = new Object();

  private RootLocale() {}

  static <T> T in(Supplier<T> call) {
    synchronized (LOCK) {
      return guarded(call);
    }
  }

  @GuardedBy("LOCK")
  private static <T> T guarded(Supplier<T> call) {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.ROOT);
    try {
      return call.get();
    } finally {
      Locale.setDefault(before);
    }
  }
}
