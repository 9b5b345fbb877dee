package dev.tollgate.reconciler.review;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Decision.What;
import dev.tollgate.schema.store.OperationDetails;
import dev.tollgate.schema.store.OperationSummary;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What can be decided about one operation. Pure.
 *
 * @param details as it is shown to whoever decides
 * @param now for the horizon; the database judges it once more by its own clock
 */
public record Choices(OperationDetails details, Instant now) {

  /** The decisions that nothing stands against. */
  public List<What> open() {
    return Arrays.stream(What.values()).filter(what -> objection(what).isEmpty()).toList();
  }

  /** Why this cannot be decided; empty if it can. */
  public Optional<String> objection(What what) {
    OperationSummary summary = details.summary();
    if (summary.review() == null) {
      return Optional.of(waitsForNobody(summary));
    }
    return switch (summary.state()) {
      case UNKNOWN -> what == What.ABSENT ? beforeHorizon() : Optional.empty();
      case PREPARED -> prepared(what, summary.review());
      case ACCEPTED ->
          what == What.AGAIN || what == What.FAILED
              ? Optional.empty()
              : Optional.of("its task is known and paid; its output is what is missing");
      case SENDING, FAILED, COMPLETE -> Optional.of(waitsForNobody(summary));
    };
  }

  private static String waitsForNobody(OperationSummary summary) {
    String waits =
        switch (summary.state()) {
          case PREPARED -> "it waits to be sent";
          case SENDING -> "it is being sent at this moment";
          case UNKNOWN -> "the reconciler is still finding out about it";
          case ACCEPTED -> "its task is being followed";
          case FAILED, COMPLETE -> "it is over";
        };
    OperationSummary.Next next = summary.next();
    String due = next == null ? "" : ", next at " + next.at();
    return "it waits for no person: " + waits + due;
  }

  private Optional<String> beforeHorizon() {
    return details.attempts().stream()
        .map(OperationDetails.Attempt::absentAfter)
        .max(Instant::compareTo)
        .filter(horizon -> !now.isAfter(horizon))
        .map(horizon -> "until " + horizon + " an attempt may still arrive");
  }

  /** Nothing was created, or so it seemed until a task was reported. */
  private static Optional<String> prepared(What what, Code review) {
    boolean reported = review == Code.SUSPECTED_DUPLICATE;
    return switch (what) {
      case FAILED -> Optional.empty();
      case FOUND, ABSENT ->
          reported ? Optional.empty() : Optional.of("no attempt of it is unresolved");
      case RESEND ->
          Optional.of(
              reported
                  ? "if the task that was reported is not its own, that is `absent`"
                  : "no attempt of it is unresolved: `again` sends it");
      case AGAIN ->
          reported
              ? Optional.of("a task was reported: it is its own (`found`), or it is not (`absent`)")
              : Optional.empty();
    };
  }

  /** The state that it is in, for whoever has to name it. */
  public OperationState state() {
    return details.summary().state();
  }
}
