package dev.tollgate.loadtest.audit;

import dev.tollgate.loadtest.audit.Facts.Operation;
import dev.tollgate.loadtest.audit.Facts.Seen;
import dev.tollgate.loadtest.audit.Violation.Rule;
import dev.tollgate.schema.state.OperationState;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Holds one operation's state against its attempts and its evidence. */
final class Walks {
  private static final Set<String> NOTHING_CREATED =
      Set.of("NOT_SENT", "PROVIDER_THROTTLED", "ACCOUNT_REFUSED");
  private static final Set<String> DECIDERS = Set.of("lookup", "person");
  private static final Set<String> PROOFS = Set.of("ABSENT", "PROTECTED_RESEND", "RISK_ACCEPTED");

  private final List<Violation> violations;

  Walks(List<Violation> violations) {
    this.violations = violations;
  }

  /** Outcomes that came when the sweep had taken their claim already. */
  static long staleOutcomes(Operation operation) {
    return operation.evidence().stream()
        .filter(seen -> seen.endsAttempt() && leaseLost(operation, seen.fence()))
        .count();
  }

  /**
   * Checks the operations that are one output's generations.
   *
   * @param requests how many create requests the provider got for all of them
   */
  void requests(List<Operation> generations, long requests) {
    int rows = generations.stream().mapToInt(each -> each.attempts().size()).sum();
    if (requests > rows) {
      broken(
          Rule.NO_SEND_WITHOUT_PROOF,
          generations.getLast(),
          "the provider got %d requests of %d attempts".formatted(requests, rows));
    }
  }

  /** Checks one operation. */
  void check(Operation operation) {
    attempts(operation);
    resends(operation);
    evidence(operation);
  }

  private void attempts(Operation operation) {
    int rows = operation.attempts().size();
    if (operation.attemptsCounted() != rows) {
      broken(
          Rule.LEGAL_WALK,
          operation,
          "counts %d attempts and has %d".formatted(operation.attemptsCounted(), rows));
    }
    for (Seen seen : operation.evidence()) {
      if (seen.endsAttempt() && !operation.attempts().contains(seen.fence())) {
        broken(
            Rule.NO_SEND_WITHOUT_PROOF,
            operation,
            "no attempt was stored for fence " + seen.fence());
      }
      if (seen.fence() > operation.fence()) {
        broken(
            Rule.LEGAL_WALK,
            operation,
            "evidence of fence %d, but the newest is %d"
                .formatted(seen.fence(), operation.fence()));
      }
    }
  }

  /**
   * Rules 5 and 6: between two attempts stands a proof that the second cannot pay twice, or the
   * decision to risk it.
   */
  private void resends(Operation operation) {
    for (int i = 1; i < operation.attempts().size(); i++) {
      int before = operation.attempts().get(i - 1);
      int after = operation.attempts().get(i);
      boolean looked =
          any(
              operation,
              seen ->
                  PROOFS.contains(seen.code())
                      && DECIDERS.contains(seen.source())
                      && seen.fence() > before
                      && seen.fence() < after);
      boolean nothingLeft =
          !leaseLost(operation, before)
              && any(
                  operation,
                  seen ->
                      seen.endsAttempt()
                          && seen.fence() == before
                          && NOTHING_CREATED.contains(seen.code()));
      if (!looked && !nothingLeft) {
        broken(
            Rule.NO_SEND_WITHOUT_PROOF,
            operation,
            "sent under fence %d and again under fence %d, with no proof between"
                .formatted(before, after));
      }
    }
  }

  private void evidence(Operation operation) {
    boolean agrees =
        switch (operation.state()) {
          case COMPLETE -> operation.remoteId() != null && operation.saw(Set.of("OUTPUT_STORED"));
          case ACCEPTED -> operation.saw(Set.of("PROVIDER_ACCEPTED", "FOUND"));
          case FAILED -> operation.reason() != null && operation.saw(Set.of(operation.reason()));
          case UNKNOWN ->
              operation.saw(Audit.UNKNOWN_CODES) || operation.saw(Set.of("REMOTE_ID_TAKEN"));
          case PREPARED, SENDING -> true;
        };
    if (!agrees) {
      broken(
          Rule.LEGAL_WALK, operation, "is " + Audit.said(operation) + ", which no evidence says");
    }
    boolean hadTask = operation.remoteId() != null;
    boolean taken = operation.saw(Set.of("PROVIDER_ACCEPTED", "FOUND"));
    if (hadTask && !taken && operation.state() != OperationState.FAILED) {
      broken(Rule.LEGAL_WALK, operation, "has a remote task that no evidence names");
    }
  }

  private static boolean leaseLost(Operation operation, int fence) {
    return any(operation, seen -> seen.code().equals("LEASE_LOST") && seen.fence() == fence);
  }

  private static boolean any(Operation operation, Predicate<Seen> such) {
    return operation.evidence().stream().anyMatch(such);
  }

  private void broken(Rule rule, Operation operation, String what) {
    violations.add(new Violation(rule, operation.key().toString(), what));
  }
}
