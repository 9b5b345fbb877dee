package dev.tollgate.reconciler.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.reconciler.relay.Duty;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.RetentionConfig;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.schema.store.PostgresHarness;
import dev.tollgate.schema.store.PostgresTombstones;
import dev.tollgate.schema.store.TestDatabase;
import dev.tollgate.worker.retention.Horizon;
import dev.tollgate.worker.retention.Horizons;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A page in each round, by one process, on the real store and a clock of the test's. */
final class ForgettingIT {
  private static final int ENDED = 7;
  private static final int BATCH = 3;

  private final PostgresHarness harness =
      new PostgresHarness(TestDatabase.migrated(ForgettingIT.class));
  private final OperationStore store = harness.store();
  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger forgotten = new AtomicInteger();
  private Optional<Horizons.Known> horizons =
      Optional.of(new Horizons.Known(Map.of(), new Horizon(Duration.ZERO, "a test")));
  private final Forgetting forgetting = forgetting();

  private Forgetting forgetting() {
    return new Forgetting(
        new PostgresTombstones(harness.sql()),
        new Duty(store, Forgetting.DUTY, UUID.randomUUID(), now::get),
        () -> horizons,
        config(),
        now::get,
        forgotten::addAndGet);
  }

  private static RetentionConfig config() {
    return ConfigFile.read(
            Optional.empty(),
            Map.of(
                "tollgate.kafka.bootstrap-servers", "none:1",
                "tollgate.database.url", "jdbc:postgresql://none/none",
                "tollgate.retention.batch", String.valueOf(BATCH)))
        .retention();
  }

  @BeforeEach
  void end() {
    UUID claim = UUID.randomUUID();
    store.insert(
        IntStream.range(0, ENDED).mapToObj(Fixture::sendNow).toList(),
        claim,
        Fixture.OWNER,
        Fixture.ALL_TERMS);
    List<Claim> claims = store.claimed(Fixture.PROVIDER, claim);
    store.apply(
        claims.stream()
            .map(c -> Fixture.sent(c, OperationState.FAILED, Code.PROVIDER_REJECTED, null))
            .toList());
    store.relayed(store.outbox(1000).stream().map(OutboxRow::id).distinct().toList());
  }

  @AfterEach
  void close() {
    assertThat(harness.broken()).isEmpty();
    harness.close();
  }

  private int operations() {
    return harness.sql().fetchCount(DSL.table("operation"));
  }

  private void round() {
    assertThat(forgetting.runOnce()).as("more at once").isFalse();
  }

  @Test
  void eachRound_forgetsAPage_andAPassComesToItsEnd() {
    round();
    assertThat(operations()).isEqualTo(ENDED - BATCH);
    round();
    round();
    assertThat(operations()).isZero();
    assertThat(forgotten).hasValue(ENDED);
  }

  @Test
  void nextPass_beginsWhenItsTimeHasCome() {
    for (int i = 0; i < 4; i++) {
      round();
    }
    store.insert(
        List.of(Fixture.sendNow(100)), UUID.randomUUID(), Fixture.OWNER, Fixture.ALL_TERMS);
    harness
        .sql()
        .execute("UPDATE operation SET state = 'failed', reason = 'GIVEN_UP', lease_until = NULL");
    harness.sql().execute("DELETE FROM lease");
    round();
    assertThat(operations()).as("the pass is over").isEqualTo(1);
    now.addAndGet(config().every().toNanos());
    round();
    assertThat(operations()).isZero();
  }

  /** More rows hang on it than one round deletes. */
  @Test
  void operationWithMuchEvidence_takesSeveralRounds_andIsNotPassedOver() {
    for (int i = 0; i < 15 * BATCH; i++) {
      harness
          .sql()
          .execute(
              "INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated)"
                  + " SELECT seq, op_key, ?, now(), 1, 'status', 'IN_FLIGHT', false FROM operation WHERE seq = 1",
              Evidence.newId());
    }
    round();
    assertThat(operations()).as("its page is under way").isEqualTo(ENDED);
    for (int i = 0; i < 3; i++) {
      round();
    }
    assertThat(operations()).isZero();
    assertThat(harness.sql().fetchCount(DSL.table("evidence"))).isZero();
  }

  @Test
  void nothingIsForgotten_whileTheHorizonIsNotKnown() {
    horizons = Optional.empty();
    round();
    assertThat(operations()).isEqualTo(ENDED);
  }

  @Test
  void oneProcess_atATime() {
    round();
    Forgetting another = forgetting();
    another.runOnce();
    assertThat(operations()).isEqualTo(ENDED - BATCH);
    harness.letTimePass();
    now.addAndGet(Duration.ofSeconds(10).toNanos());
    another.runOnce();
    assertThat(operations()).as("begins at the beginning").isEqualTo(ENDED - 2 * BATCH);
  }

  @Test
  void whatStays_isPassedOnce() {
    horizons = Optional.of(new Horizons.Known(Map.of(), new Horizon(Duration.ofDays(1), "a test")));
    for (int i = 0; i < 5; i++) {
      round();
    }
    assertThat(operations()).isEqualTo(ENDED);
    assertThat(forgotten).hasValue(0);
  }
}
