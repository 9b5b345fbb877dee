package dev.tollgate.schema.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.state.Transition;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;

/** The table of transitions stands twice, in Java and in a trigger: both give one answer. */
final class TransitionTableIT {
  private static final String GUARD = "operation_transition_is_allowed";

  /*
   * Tries every change in a subtransaction of its own and says whether the trigger let it pass. A change that the trigger
   * allows may still break a CHECK, which is another rule: the columns are filled so that none does.
   */
  private static final String TRY_ALL =
      """
      DO $$
      DECLARE
        t record;
        refused_by text;
      BEGIN
        FOR t IN SELECT f, s, r FROM unnest(enum_range(NULL::operation_state)) f,
                   unnest(enum_range(NULL::operation_state)) s, (SELECT code FROM codes) AS c(r) LOOP
          BEGIN
            INSERT INTO operation (seq, op_key, claim, lease_until, changed_at, fence, version, attempts, looks, state, reason, remote_id)
            VALUES (0, sha256('x') || 'video'::bytea, gen_random_uuid(), CASE WHEN t.f = 'sending' THEN now() END,
                    now(), 1, 1, 1, 0, t.f, 'UNDECIDED', CASE WHEN t.f IN ('accepted', 'complete') THEN 'job' END);
            BEGIN
              UPDATE operation
              SET state = t.s, reason = t.r, lease_until = CASE WHEN t.s = 'sending' THEN now() END,
                  remote_id = CASE WHEN t.f IN ('accepted', 'complete') OR t.s IN ('accepted', 'complete') THEN 'job' END;
              refused_by := 'nobody';
            EXCEPTION WHEN check_violation THEN
              GET STACKED DIAGNOSTICS refused_by = CONSTRAINT_NAME;
            END;
            RAISE EXCEPTION USING ERRCODE = 'TG001';
          EXCEPTION WHEN SQLSTATE 'TG001' THEN NULL;
          END;
          INSERT INTO answers VALUES (t.f::text, t.s::text, t.r, refused_by);
        END LOOP;
      END $$
      """;

  private static PostgresHarness harness;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(TransitionTableIT.class));
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  private record Answer(String from, String to, @Nullable String reason, String refusedBy) {}

  @Test
  void everyPairOfStatesWithEveryReason_hasOneAnswer() {
    harness.reset();
    DSLContext sql = harness.sql();
    sql.execute("CREATE TABLE codes (code text)");
    sql.execute("CREATE TABLE answers (f text, s text, r text, refused_by text)");
    for (Code code : Code.values()) {
      sql.execute("INSERT INTO codes VALUES (?)", code.name());
    }
    sql.execute("INSERT INTO codes VALUES (NULL)");
    sql.execute(TRY_ALL);
    List<Answer> answers =
        sql.fetch("SELECT f, s, r, refused_by FROM answers")
            .map(
                row ->
                    new Answer(
                        Rows.text(row, 0),
                        Rows.text(row, 1),
                        (String) row.get(2),
                        Rows.text(row, 3)));
    assertThat(answers).hasSize(6 * 6 * (Code.values().length + 1));
    List<String> differences = new ArrayList<>();
    for (Answer answer : answers) {
      boolean java = allowed(answer);
      boolean database = !answer.refusedBy().equals(GUARD);
      if (java != database) {
        differences.add("%s: Java %s, database %s".formatted(answer, java, database));
      }
    }
    assertThat(differences).isEmpty();
  }

  /**
   * The database also sees changes that leave the state as it is: open ones may, finished may not.
   */
  private static boolean allowed(Answer answer) {
    OperationState from = OperationState.of(answer.from());
    OperationState to = OperationState.of(answer.to());
    if (from == to) {
      return !from.terminal();
    }
    if (answer.reason() == null) {
      return List.of(Transition.values()).stream()
          .anyMatch(t -> t.from() == from && t.to() == to && t.reasons().isEmpty());
    }
    return Transition.allowed(from, to, Code.valueOf(answer.reason()));
  }

  @Test
  void fenceVersionAttemptsKeyAndRemoteId_neverGoBack() {
    harness.reset();
    harness
        .store()
        .insert(List.of(Fixture.sendNow(1)), Fixture.claimId(), Fixture.OWNER, Fixture.ALL_TERMS);
    for (String change :
        List.of(
            "fence = fence - 1, claim = NULL",
            "version = version - 1",
            "attempts = attempts - 1",
            "op_key = sha256('other') || 'video'::bytea")) {
      assertThat(refusal("UPDATE operation SET " + change)).as(change).isEqualTo(GUARD);
    }
    harness
        .sql()
        .execute(
            "UPDATE operation SET state = 'accepted', remote_id = 'job-1', lease_until = NULL");
    assertThat(refusal("UPDATE operation SET remote_id = 'job-2'")).isEqualTo(GUARD);
  }

  @Test
  void aProtectedResend_isNeitherUnsentNorRejected_anEarlierAttemptIsUnresolved() {
    for (String change :
        List.of(
            "state = 'prepared', reason = 'NOT_SENT'",
            "state = 'failed', reason = 'PROVIDER_REJECTED'")) {
      harness.reset();
      harness
          .store()
          .insert(List.of(Fixture.sendNow(1)), Fixture.claimId(), Fixture.OWNER, Fixture.ALL_TERMS);
      harness.sql().execute("UPDATE operation SET reason = 'PROTECTED_RESEND'");
      assertThat(refusal("UPDATE operation SET lease_until = NULL, " + change)).isEqualTo(GUARD);
      assertThat(
              refusal(
                  "UPDATE operation SET lease_until = NULL, state = 'unknown', reason = 'LEASE_LOST'"))
          .isEqualTo("nobody");
    }
  }

  @Test
  void evidenceAndAttempts_areAppendOnly() {
    harness.reset();
    harness
        .store()
        .insert(List.of(Fixture.intent(1)), Fixture.claimId(), Fixture.OWNER, Fixture.ALL_TERMS);
    assertThat(harness.store().claim(1, Fixture.claimId(), Fixture.OWNER, Fixture.TERMS))
        .hasSize(1);
    harness
        .sql()
        .execute(
            "INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated)"
                + " SELECT seq, op_key, 1, now(), 1, 'submit', 'FOUND', false FROM operation");
    assertThat(refusal("UPDATE evidence SET code = 'ABSENT'")).isEqualTo("evidence_is_append_only");
    assertThat(refusal("DELETE FROM evidence")).isEqualTo("evidence_is_append_only");
    assertThat(refusal("UPDATE attempt SET owner = 'me'")).isEqualTo("attempt_is_append_only");
    assertThat(refusal("DELETE FROM attempt")).isEqualTo("attempt_is_append_only");
    assertThat(refusal("UPDATE intent SET first_owner = 'me'")).isEqualTo("intent_is_append_only");
    assertThat(refusal("DELETE FROM intent")).isEqualTo("intent_is_append_only");
  }

  static String refusal(String sql) {
    return refusal(harness.sql(), sql);
  }

  /** The constraint that refuses a statement, or {@code nobody}. */
  static String refusal(DSLContext db, String sql) {
    try {
      db.execute(sql);
      return "nobody";
    } catch (DataAccessException e) {
      PSQLException cause = e.getCause(PSQLException.class);
      var message = cause == null ? null : cause.getServerErrorMessage();
      return message == null ? e.toString() : String.valueOf(message.getConstraint());
    }
  }
}
