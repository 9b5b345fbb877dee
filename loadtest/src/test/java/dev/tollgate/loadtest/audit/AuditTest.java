package dev.tollgate.loadtest.audit;

import static dev.tollgate.loadtest.audit.HandMade.key;
import static dev.tollgate.loadtest.audit.HandMade.named;
import static dev.tollgate.loadtest.audit.HandMade.seen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.audit.Violation.Rule;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.state.OperationState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule is broken by hand once, and nothing else is said to be broken then. */
final class AuditTest {
  @TempDir Path folder;
  private HandMade facts;

  @BeforeEach
  void oneGoodOperation() {
    facts = new HandMade(folder).complete(1, "keyed-1-a");
  }

  @Test
  void allGood_countsAndNoViolation() {
    Report report = facts.audit();
    assertThat(report.violations()).isEmpty();
    assertThat(report.remoteTasks()).isEqualTo(1);
    assertThat(report.duplicates()).isZero();
    assertThat(report.lost()).isZero();
    assertThat(report.in(OperationState.COMPLETE)).isEqualTo(1);
    assertThat(report.faultsFired()).isEmpty();
  }

  @Test
  void twoTasksOfOneOperation_isOneDuplicate() {
    Report report = facts.silentTask(1, "keyed-2-b").audit();
    assertThat(report.duplicates()).isEqualTo(1);
    // one attempt, two requests: the audit sees that too
    assertThat(rules(report)).containsOnly(Rule.ONE_TASK, Rule.NO_SEND_WITHOUT_PROOF);
    assertThat(report.faultsFired()).containsOnlyKeys("accept/drop");
  }

  @Test
  void askedForAndGone_isLost() {
    Report report = facts.asked(2).audit();
    assertThat(report.lost()).isEqualTo(1);
    assertThat(only(report).key()).isEqualTo(key(2).toString());
    assertThat(rules(report)).containsOnly(Rule.NO_INTENT_LOST);
  }

  @Test
  void askedForAndDeadLetter_isNotLost() {
    Report report = facts.asked(2).letter(2).audit();
    assertThat(report.violations()).isEmpty();
    assertThat(report.deadLetters()).isEqualTo(1);
  }

  @Test
  void taskOfAnOperationThatIsPrepared_isMoneyThatNobodyOwns() {
    Report report =
        facts
            .asked(2)
            .silentTask(2, "keyed-2-b")
            .row(
                2,
                OperationState.PREPARED,
                "NOT_SENT",
                null,
                List.of(1),
                seen(1, "submit", "NOT_SENT"))
            .audit();
    assertThat(report.lost()).isEqualTo(1);
    assertThat(rules(report)).containsOnly(Rule.NO_TASK_LOST);
  }

  @Test
  void taskOfAnOperationThatWasRejected_isMoneyThatNobodyOwns() {
    Report report =
        facts
            .asked(2)
            .silentTask(2, "keyed-2-b")
            .row(
                2,
                OperationState.FAILED,
                "PROVIDER_REJECTED",
                null,
                List.of(1),
                seen(1, "submit", "PROVIDER_REJECTED"))
            .told(2, 2, ResultEvent.State.FAILED)
            .audit();
    assertThat(report.lost()).isEqualTo(1);
    assertThat(rules(report)).containsOnly(Rule.NO_TASK_LOST);
  }

  @Test
  void taskOfNoOperation_isLost() {
    Report report = facts.silentTask(9, "keyed-2-b").audit();
    assertThat(report.lost()).isEqualTo(1);
    assertThat(rules(report)).containsOnly(Rule.NO_TASK_LOST);
  }

  @Test
  void unknownWithATask_waitsAndIsNotLost() {
    Report report =
        facts
            .asked(2)
            .silentTask(2, "keyed-2-b")
            .row(
                2,
                OperationState.UNKNOWN,
                "NO_WAY_TO_KNOW",
                null,
                List.of(1),
                seen(1, "submit", "OUTCOME_UNKNOWN"),
                seen(2, "lookup", "NO_WAY_TO_KNOW"))
            .told(2, 2, ResultEvent.State.UNKNOWN)
            .audit();
    assertThat(report.violations()).isEmpty();
    assertThat(report.unknownSeen()).isEqualTo(1);
    assertThat(report.review()).isEqualTo(1);
  }

  @Test
  void outputWithOtherBytes_isLost() throws Exception {
    Files.writeString(facts.place(1), "other");
    Report report = facts.audit();
    assertThat(report.lost()).isEqualTo(1);
    assertThat(rules(report)).containsOnly(Rule.ONE_OUTPUT);
  }

  @Test
  void outputThatIsGone_isLost() throws Exception {
    Files.delete(facts.place(1));
    Report report = facts.audit();
    assertThat(report.lost()).isEqualTo(1);
    assertThat(rules(report)).containsOnly(Rule.ONE_OUTPUT);
  }

  @Test
  void fileOfNobody_isReportedAndNotLost() {
    Report report = facts.file(folder.resolve("stray")).audit();
    assertThat(report.lost()).isZero();
    assertThat(rules(report)).containsOnly(Rule.ONE_OUTPUT);
  }

  @Test
  void sentAgainWithoutProof_isReported() {
    Report report =
        facts
            .asked(2)
            .row(
                2,
                OperationState.UNKNOWN,
                "NO_WAY_TO_KNOW",
                null,
                List.of(1, 2),
                seen(1, "submit", "OUTCOME_UNKNOWN"),
                seen(2, "submit", "OUTCOME_UNKNOWN"))
            .told(2, 2, ResultEvent.State.UNKNOWN)
            .audit();
    assertThat(only(report).what()).contains("fence 1 and again under fence 2");
    assertThat(rules(report)).containsOnly(Rule.NO_SEND_WITHOUT_PROOF);
  }

  @Test
  void sentAgainAfterAbsent_isFine() {
    Report report =
        facts
            .asked(2)
            .row(
                2,
                OperationState.UNKNOWN,
                "NO_WAY_TO_KNOW",
                null,
                List.of(1, 3),
                seen(1, "submit", "OUTCOME_UNKNOWN"),
                seen(2, "lookup", "ABSENT"),
                seen(3, "submit", "OUTCOME_UNKNOWN"))
            .told(2, 2, ResultEvent.State.UNKNOWN)
            .audit();
    assertThat(report.violations()).isEmpty();
    assertThat(report.provedAbsent()).isEqualTo(1);
  }

  @Test
  void notSentOfALostLease_isNoProof_andCountsAsStale() {
    Report report =
        facts
            .asked(2)
            .row(
                2,
                OperationState.UNKNOWN,
                "NO_WAY_TO_KNOW",
                null,
                List.of(1, 2),
                seen(1, "sweep", "LEASE_LOST"),
                seen(1, "submit", "NOT_SENT"),
                seen(2, "submit", "OUTCOME_UNKNOWN"))
            .told(2, 2, ResultEvent.State.UNKNOWN)
            .audit();
    assertThat(rules(report)).containsOnly(Rule.NO_SEND_WITHOUT_PROOF);
    assertThat(report.staleFences()).isEqualTo(1);
  }

  @Test
  void foundAfterUnknown_countsAsReconciledWithoutRetry() {
    Report report =
        facts
            .asked(2)
            .silentTask(2, "keyed-2-b")
            .row(
                2,
                OperationState.ACCEPTED,
                "FOUND",
                "keyed-2-b",
                List.of(1),
                seen(1, "submit", "OUTCOME_UNKNOWN"),
                named(2, "lookup", "FOUND", "keyed-2-b"))
            .told(2, 2, ResultEvent.State.UNKNOWN)
            .told(2, 3, ResultEvent.State.ACCEPTED)
            .audit();
    assertThat(report.violations()).isEmpty();
    assertThat(report.reconciledWithoutRetry()).isEqualTo(1);
  }

  @Test
  void answerThatNoEvidenceNames_isReported() {
    Report report =
        facts
            .asked(2)
            .task(2, "keyed-2-b")
            .row(
                2,
                OperationState.FAILED,
                "PROVIDER_FAILED",
                null,
                List.of(1),
                seen(1, "status", "PROVIDER_FAILED"))
            .told(2, 2, ResultEvent.State.FAILED)
            .audit();
    assertThat(rules(report)).containsOnly(Rule.EVIDENCE_KEPT);
  }

  @Test
  void eventsThatGoBack_areReported() {
    Report report = facts.told(1, 4, ResultEvent.State.ACCEPTED).audit();
    assertThat(rules(report)).containsOnly(Rule.EVENTS_TOLD);
  }

  @Test
  void repeatedEvent_isFine() {
    assertThat(facts.told(1, 2, ResultEvent.State.ACCEPTED).audit().violations()).isEmpty();
  }

  @Test
  void eventThatWasNeverTold_isReported() {
    Report report =
        facts
            .asked(2)
            .row(
                2,
                OperationState.FAILED,
                "PROVIDER_REJECTED",
                null,
                List.of(1),
                seen(1, "submit", "PROVIDER_REJECTED"))
            .audit();
    assertThat(rules(report)).containsOnly(Rule.EVENTS_TOLD);
  }

  @Test
  void rowsInTheOutbox_areReported() {
    assertThat(rules(facts.unsent(3).audit())).containsOnly(Rule.EVENTS_TOLD);
  }

  @Test
  void generationsOfOneOutput_haveATaskEach() {
    facts
        .asked(2)
        .task(2, "keyed-2-b")
        .row(
            2,
            OperationState.FAILED,
            "PROVIDER_FAILED",
            "keyed-2-b",
            List.of(1),
            named(1, "submit", "PROVIDER_ACCEPTED", "keyed-2-b"),
            seen(1, "poll", "PROVIDER_FAILED"))
        .told(2, 2, ResultEvent.State.FAILED)
        .next(3, 2)
        .silentTask(2, "keyed-3-c")
        .row(
            3,
            OperationState.UNKNOWN,
            "NO_WAY_TO_KNOW",
            null,
            List.of(1),
            seen(1, "submit", "OUTCOME_UNKNOWN"),
            seen(2, "lookup", "NO_WAY_TO_KNOW"))
        .told(3, 2, ResultEvent.State.UNKNOWN);
    assertThat(facts.audit().violations()).isEmpty();
    Report twice = facts.silentTask(2, "keyed-4-d").audit();
    assertThat(twice.duplicates()).isEqualTo(1);
    assertThat(rules(twice)).containsOnly(Rule.ONE_TASK, Rule.NO_SEND_WITHOUT_PROOF);
  }

  @Test
  void streamThatIsWholeAndPublished_isClean() {
    Report report = facts.streamed(3, "bytes of 1").chunks(1, 3, 2, true, 0, 1, 2).audit();
    assertThat(report.violations()).isEmpty();
    assertThat(report.streamed()).isEqualTo(new Report.Streamed(1, 3, 0));
  }

  @Test
  void streamWithAGap_orWithoutItsEnd_orNotPublished_isNotWhole() {
    facts.streamed(3, "bytes of 1");
    assertThat(rules(facts.chunks(1, 3, 3, true, 0, 1, 3).audit())).containsOnly(Rule.STREAM_WHOLE);
    assertThat(rules(facts.chunks(1, 3, 2, false, 0, 1, 2).audit()))
        .containsOnly(Rule.STREAM_WHOLE);
    assertThat(rules(facts.chunks(1, 2, 1, true, 0, 1).audit())).containsOnly(Rule.STREAM_WHOLE);
    assertThat(rules(facts.chunks(1, 3, 2, true, 0, 1).audit())).containsOnly(Rule.STREAM_WHOLE);
  }

  @Test
  void textThatTheProviderDidNotSend_isNotWhole() {
    Report report = facts.streamed(3, "other").chunks(1, 3, 2, true, 0, 1, 2).audit();
    assertThat(rules(report)).containsOnly(Rule.STREAM_WHOLE);
  }

  private static List<Rule> rules(Report report) {
    return report.violations().stream().map(Violation::rule).toList();
  }

  private static Violation only(Report report) {
    assertThat(report.violations()).hasSize(1);
    return report.violations().getFirst();
  }
}
