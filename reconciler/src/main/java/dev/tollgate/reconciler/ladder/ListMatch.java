package dev.tollgate.reconciler.ladder;

import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which tasks of a list could be the one that was asked for. Pure.
 *
 * @param fitting tasks whose input is the same in every attribute
 * @param unjudged tasks that do not show their input: their time alone fits
 */
record ListMatch(List<Candidate> fitting, List<Candidate> unjudged) {
  /** Most tasks that are shown to a person; those that could be it come first. */
  private static final int SHOWN_MAX = 50;

  /**
   * Sorts the tasks of a window.
   *
   * @param wanted what a task has to show; empty: tasks of this provider do not show it
   * @param taken remote ids that other operations hold
   */
  static ListMatch of(List<Candidate> candidates, Optional<Bytes> wanted, Set<String> taken) {
    List<Candidate> fitting = new ArrayList<>();
    List<Candidate> unjudged = new ArrayList<>();
    for (Candidate candidate : candidates) {
      if (taken.contains(candidate.remoteId()) || candidate.reference().isPresent()) {
        continue; // another operation's, by our books or by the reference that it carries
      }
      if (candidate.canonicalInput().isEmpty() || wanted.isEmpty()) {
        unjudged.add(candidate);
      } else if (candidate.canonicalInput().equals(wanted)) {
        fitting.add(candidate);
      }
    }
    return new ListMatch(fitting, unjudged);
  }

  /** The tasks of a window as a person compares them, the likeliest first. */
  static List<Finding.Shown> sideBySide(
      List<Candidate> candidates, Optional<Bytes> wanted, Set<String> taken) {
    return candidates.stream()
        .map(candidate -> shown(candidate, wanted, taken))
        .sorted(
            Comparator.comparing((Finding.Shown one) -> one.whose().equals("taken"))
                .thenComparing(one -> !one.input().equals("same"))
                .thenComparing(one -> one.input().equals("other"))
                .thenComparing(Finding.Shown::createdAt)
                .thenComparing(Finding.Shown::remoteId))
        .limit(SHOWN_MAX)
        .toList();
  }

  private static Finding.Shown shown(
      Candidate candidate, Optional<Bytes> wanted, Set<String> taken) {
    boolean compared = candidate.canonicalInput().isPresent() && wanted.isPresent();
    boolean others = taken.contains(candidate.remoteId()) || candidate.reference().isPresent();
    return new Finding.Shown(
        candidate.remoteId(),
        candidate.createdAt(),
        !compared ? "not shown" : candidate.canonicalInput().equals(wanted) ? "same" : "other",
        others ? "taken" : "free");
  }
}
