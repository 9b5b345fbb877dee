package dev.tollgate.reconciler.ladder;

import dev.tollgate.reconciler.policy.UnknownPolicy;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.json.Json;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.schema.store.Look;
import dev.tollgate.worker.loop.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a finding does to the operation. Pure but for the jitter of pauses.
 *
 * @param attemptsMax transport attempts of one operation; past it a person decides
 * @param lostAttemptsMax attempts after which one that never arrived is not sent again by itself
 * @param followAfter when a found task is first asked about
 * @param resendAfter pause before a resend
 * @param pause after the first look that decided nothing; doubled with each further one
 * @param pauseMax bound of that pause
 * @param policy what becomes of what nobody can find out about
 */
public record Settlement(
    int attemptsMax,
    int lostAttemptsMax,
    Duration followAfter,
    Duration resendAfter,
    Duration pause,
    Duration pauseMax,
    UnknownPolicy policy) {

  /** A look past the horizon comes this much later, so that clocks of one database round alike. */
  private static final Duration AFTER_HORIZON = Duration.ofMillis(100);

  /** To meet others, a look may come later by this part of the time since its first attempt. */
  private static final int MEETING_SHARE = 8;

  /** The change that stores a finding. */
  public Change of(Look look, Finding finding) {
    return of(look, finding, false);
  }

  /**
   * The same.
   *
   * @param together whether one question serves many looks: the next one then comes with others
   */
  public Change of(Look look, Finding finding, boolean together) {
    return switch (finding) {
      case Finding.Found(String remoteId, String note, var _) ->
          Change.ofLook(
              look,
              OperationState.ACCEPTED,
              Code.FOUND,
              null,
              remoteId,
              followAfter,
              evidence(Code.FOUND, remoteId, note));
      case Finding.Absent absent -> again(look, Code.ABSENT, absent.note());
      case Finding.Resend resend -> again(look, Code.PROTECTED_RESEND, resend.note());
      case Finding.Ambiguous ambiguous -> ambiguous(look, ambiguous);
      case Finding.NoWay noWay -> noWay(look, noWay.note(), together);
      case Finding.Misplaced misplaced -> person(look, Code.NO_WAY_TO_KNOW, misplaced.note());
      case Finding.Undecided undecided ->
          later(look, undecided.note(), look.absentAfter(), together);
    };
  }

  private Change again(Look look, Code proof, String note) {
    boolean usedUp =
        look.attempts() >= attemptsMax || (proof == Code.ABSENT && look.lost() >= lostAttemptsMax);
    if (usedUp) {
      return person(look, Code.ATTEMPT_LIMIT, look.attempts() + " attempts were made; " + note);
    }
    Duration pauseBefore =
        proof == Code.ABSENT ? Duration.ZERO : Backoff.of(look.attempts(), resendAfter, pauseMax);
    return Change.ofLook(
        look, OperationState.PREPARED, proof, null, null, pauseBefore, evidence(proof, null, note));
  }

  private Change noWay(Look look, String note, boolean together) {
    UnknownPolicy.Case operation =
        new UnknownPolicy.Case(
            look.key().kind(),
            look.provider(),
            look.price(),
            look.deadline(),
            look.firstBegan(),
            look.lost(),
            look.now());
    UnknownPolicy.Verdict verdict = policy.decide(operation);
    String both = verdict.why() + "; " + note;
    boolean ends = !(verdict instanceof UnknownPolicy.Verdict.Ask);
    if (ends && !look.pastHorizon()) { // an answer that is only late would make it needless
      return later(look, both, look.absentAfter(), together);
    }
    return switch (verdict) {
      case UnknownPolicy.Verdict.Ask _ -> person(look, Code.NO_WAY_TO_KNOW, both);
      case UnknownPolicy.Verdict.Wait wait -> later(look, both, wait.until(), together);
      case UnknownPolicy.Verdict.Resend _ -> again(look, Code.RISK_ACCEPTED, both);
      case UnknownPolicy.Verdict.GiveUp _ ->
          Change.ofLook(
              look,
              OperationState.FAILED,
              Code.GIVEN_UP,
              null,
              null,
              Duration.ZERO,
              evidence(Code.GIVEN_UP, null, both));
    };
  }

  /** The tasks between which a person has to choose are kept as they were seen. */
  private static Change ambiguous(Look look, Finding.Ambiguous finding) {
    byte[] shown = finding.shown().isEmpty() ? null : json(finding.shown());
    Evidence evidence =
        new Evidence(
            Evidence.newId(),
            Evidence.Source.LOOKUP,
            Code.AMBIGUOUS,
            null,
            null,
            finding.note(),
            null,
            shown,
            false);
    return Change.ofLook(
        look,
        OperationState.UNKNOWN,
        Code.AMBIGUOUS,
        Code.AMBIGUOUS,
        null,
        Duration.ZERO,
        evidence);
  }

  private static byte[] json(List<Finding.Shown> tasks) {
    return new Json.Arr(
            tasks.stream()
                .map(
                    task ->
                        (Json)
                            new Json.Obj(
                                new TreeMap<>(
                                    Map.of(
                                        "remote_id", new Json.Text(task.remoteId()),
                                        "created_at", new Json.Text(task.createdAt().toString()),
                                        "input", new Json.Text(task.input()),
                                        "whose", new Json.Text(task.whose())))))
                .toList())
        .canonicalBytes();
  }

  private static Change person(Look look, Code why, String note) {
    return Change.ofLook(
        look, OperationState.UNKNOWN, why, why, null, Duration.ZERO, evidence(why, null, note));
  }

  /**
   * @param known when more may be known, or be decided
   */
  private Change later(Look look, String note, Instant known, boolean together) {
    Instant now = look.now();
    Instant then = known.plus(AFTER_HORIZON);
    Duration backoff =
        together
            ? Appointments.within(now, Backoff.longest(look.looks(), pause, pauseMax))
            : Backoff.of(look.looks(), pause, pauseMax);
    Duration late = Duration.between(look.firstBegan(), then).dividedBy(MEETING_SHARE);
    Duration until =
        together ? Appointments.notBefore(now, then, late) : Duration.between(now, then);
    boolean sooner = then.isAfter(now) && until.compareTo(backoff) < 0;
    return Change.ofLook(
        look,
        OperationState.UNKNOWN,
        Code.UNDECIDED,
        null,
        null,
        sooner ? until : backoff,
        evidence(Code.UNDECIDED, null, note));
  }

  private static Evidence evidence(Code code, @Nullable String remoteId, String note) {
    return new Evidence(
        Evidence.newId(), Evidence.Source.LOOKUP, code, null, remoteId, note, null, null, false);
  }
}
