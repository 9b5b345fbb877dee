package dev.tollgate.worker.provider;

import java.util.ArrayList;
import java.util.List;

/**
 * One provider, as configured.
 *
 * @param name the name that requests use: {@code [a-z][a-z0-9_-]{0,23}}
 * @param recourses what can be done there after an unknown outcome, the first to be tried first;
 *     empty: nothing
 * @param concurrency the most submits that may be under way at once; positive
 * @param timing how long things last there
 * @param limits what its documents allow
 * @param sendsTo where its creates go
 */
public record ProviderProfile(
    String name,
    List<Recourse> recourses,
    int concurrency,
    ProviderTiming timing,
    DocumentedLimits limits,
    SendsTo sendsTo) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming everything that is out of range, each on a line of its
   *     own
   */
  public ProviderProfile {
    recourses =
        recourses.stream().filter(recourse -> recourse != Recourse.NONE).distinct().toList();
    List<String> wrong = new ArrayList<>();
    if (!name.matches("[a-z][a-z0-9_-]{0,23}")) {
      wrong.add("its name must be up to 24 of a-z, 0-9, _ and -, a letter first");
    }
    if (concurrency < 1) {
      wrong.add("concurrency must be positive");
    }
    if (recourses.contains(Recourse.IDEMPOTENT_CREATE) && timing.promiseRetention().isEmpty()) {
      wrong.add("idempotent-create needs promise-retention");
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(String.join(System.lineSeparator(), wrong));
    }
  }

  /** Whether it can be asked what became of a create. */
  public boolean canBeAsked() {
    return recourses.stream().anyMatch(Recourse::asks);
  }
}
