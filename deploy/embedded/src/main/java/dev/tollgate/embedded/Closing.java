package dev.tollgate.embedded;

import java.util.ArrayList;
import java.util.List;

/** Several things to end, where one that fails must not keep the others alive. */
final class Closing {
  private Closing() {}

  /** Runs every step, then throws the first failure with the others attached. */
  static void all(List<Runnable> steps) {
    List<RuntimeException> failures = new ArrayList<>();
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      RuntimeException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }
}
