package dev.tollgate.worker.send;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.worker.loop.Backoff;
import dev.tollgate.worker.provider.RawAnswer;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.Verdict;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a verdict does to the operation. Pure but for the jitter of pauses. */
final class SendOutcomes {
  /** Nobody mends an account within seconds, and an operation has few attempts. */
  private static final Duration MENDED_WITHIN = Duration.ofMinutes(2);

  private static final Duration MENDED_WITHIN_MAX = Duration.ofHours(1);

  private final SendPolicy policy;

  SendOutcomes(SendPolicy policy) {
    this.policy = policy;
  }

  Change decide(Claim claim, SubmitResult result) {
    if (claim.earlierUnresolved() && !(result.verdict() instanceof Verdict.Accepted)) {
      return undecided(claim, result);
    }
    return switch (result.verdict()) {
      case Verdict.Accepted(String remoteId, String note) ->
          Change.ofSend(
              claim,
              OperationState.ACCEPTED,
              Code.PROVIDER_ACCEPTED,
              null,
              remoteId,
              policy.followAfter(),
              evidence(result, remoteId, note));
      case Verdict.Rejected rejected when rejected.rejection().ofAccount() ->
          back(
              claim,
              Code.ACCOUNT_REFUSED,
              Backoff.of(claim.attempts(), MENDED_WITHIN, MENDED_WITHIN_MAX),
              evidence(result, null, rejected.rejection() + ": " + rejected.reason()));
      case Verdict.Rejected rejected ->
          Change.ofSend(
              claim,
              OperationState.FAILED,
              Code.PROVIDER_REJECTED,
              null,
              null,
              Duration.ZERO,
              evidence(result, null, rejected.rejection() + ": " + rejected.reason()));
      case Verdict.Throttled(Duration retryAfter, String reason) ->
          back(claim, Code.PROVIDER_THROTTLED, retryAfter, evidence(result, null, reason));
      case Verdict.NotSent(String reason) ->
          back(claim, Code.NOT_SENT, Duration.ZERO, evidence(result, null, reason));
      case Verdict.Unknown(String reason) ->
          unknown(claim, evidence(result, result.raw().seenRemoteId().orElse(null), reason));
    };
  }

  /**
   * An earlier attempt is unresolved: that this one was refused, throttled or never left says
   * nothing about the earlier one, so the operation is as unknown as before.
   */
  private Change undecided(Claim claim, SubmitResult result) {
    String seen = result.raw().seenRemoteId().orElse(null);
    return unknown(
        claim,
        evidence(
            result,
            seen,
            "a resend decided nothing while an earlier attempt is unresolved: "
                + reason(result.verdict())));
  }

  private Change unknown(Claim claim, Evidence evidence) {
    return Change.ofSend(
        claim,
        OperationState.UNKNOWN,
        Code.OUTCOME_UNKNOWN,
        null,
        null,
        policy.lookAfter(),
        evidence);
  }

  private Change back(Claim claim, Code code, Duration atLeast, Evidence evidence) {
    boolean usedUp = claim.attempts() >= policy.attemptsMax();
    Duration pause = Backoff.of(claim.attempts(), policy.pause(), policy.pauseMax());
    return Change.ofSend(
        claim,
        OperationState.PREPARED,
        code,
        usedUp ? Code.ATTEMPT_LIMIT : null,
        null,
        pause.compareTo(atLeast) > 0 ? pause : atLeast,
        evidence);
  }

  private static String reason(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Accepted accepted -> accepted.note();
      case Verdict.Rejected rejected -> rejected.rejection() + ": " + rejected.reason();
      case Verdict.Throttled throttled -> throttled.reason();
      case Verdict.NotSent notSent -> notSent.reason();
      case Verdict.Unknown unknown -> unknown.reason();
    };
  }

  private static Evidence evidence(
      SubmitResult result, @Nullable String remoteId, @Nullable String note) {
    RawAnswer raw = result.raw();
    String told = note == null || note.isEmpty() ? null : note;
    if (told == null && !raw.transportError().isEmpty()) {
      told = raw.transportError();
    }
    return new Evidence(
        Evidence.newId(),
        Evidence.Source.SUBMIT,
        result.verdict().code(),
        raw.status().isPresent() ? raw.status().getAsInt() : null,
        remoteId,
        told,
        headers(raw.headers()),
        raw.body().size() == 0 ? null : raw.body().toByteArray(),
        raw.truncated());
  }

  private static @Nullable String headers(Map<String, String> headers) {
    return headers.isEmpty()
        ? null
        : new TreeMap<>(headers)
            .entrySet().stream()
                .map(e -> e.getKey() + ": " + e.getValue())
                .collect(Collectors.joining("\n"));
  }
}
