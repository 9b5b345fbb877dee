package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** One walk from intake to output that meets every statement once. */
final class StoreSmokeIT {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void everyStatement_runs() {
    try (PostgresHarness harness = new PostgresHarness(TestDatabase.migrated(StoreSmokeIT.class))) {
      OperationStore store = harness.store();
      UUID first = Fixture.claimId();
      List<NewIntent> intents =
          List.of(
              Fixture.sendNow(1),
              Fixture.intent(2),
              Fixture.intent(3, PROVIDER, "p", false, Instant.EPOCH));
      assertThat(store.insert(intents, first, OWNER, ALL_TERMS)).hasSize(3);
      assertThat(store.find(List.of(key(1), key(2), key(9)))).hasSize(2);
      assertThat(store.backlog(List.of(PROVIDER, "none"), 100))
          .isEqualTo(Map.of(PROVIDER, 2, "none", 0));
      assertThat(store.expire(10)).containsExactly(key(3));
      List<Claim> held = store.claimed(PROVIDER, first);
      assertThat(held).extracting(Claim::key).containsExactly(key(1));
      List<Claim> claims = store.claim(10, Fixture.claimId(), OWNER, TERMS);
      assertThat(claims).extracting(Claim::key).containsExactly(key(2));

      Change accepted = Fixture.accepted(held.getFirst(), "job-1");
      assertThat(store.apply(List.of(accepted))).containsExactly(key(1));
      assertThat(store.effective(List.of(accepted))).containsExactly(key(1));
      assertThat(store.owners(PROVIDER, List.of("job-1", "job-2")))
          .isEqualTo(Map.of("job-1", key(1)));
      harness.letTimePass();
      assertThat(store.sweep(10, Duration.ZERO).lost()).containsExactly(key(2));
      assertThat(store.lateEvidence(Map.of(key(1), "job-9", key(2), ""))).containsExactly(key(1));
      assertThat(store.remoteIdsSeen(List.of(key(1)))).containsOnlyKeys(key(1));
      assertThat(store.lookDue(PROVIDER, 10, Fixture.claimId(), LEASE)).hasSize(1);
      assertThat(store.look(List.of(key(2)), Set.of(), Fixture.claimId(), LEASE)).isEmpty();
      assertThat(store.rivals(key(1), PROVIDER)).isEmpty();
      Follow follow = store.follow(PROVIDER, 10, SECOND, SECOND.multipliedBy(60)).getFirst();
      assertThat(store.apply(List.of(Fixture.complete(follow, Fixture.output(1))))).hasSize(1);
      assertThat(harness.get(key(1)).state()).isEqualTo(OperationState.COMPLETE);

      List<OutboxRow> rows = store.outbox(100);
      assertThat(rows).isNotEmpty();
      List<OutboxRow> finished = rows.stream().filter(row -> row.state().terminal()).toList();
      assertThat(store.endings(finished)).containsOnlyKeys(key(1), key(3));
      store.relayed(rows.stream().map(OutboxRow::id).toList());
      assertThat(store.outbox(100)).isEmpty();
      assertThat(store.duty("sweep", Fixture.claimId(), LEASE)).isTrue();
      assertThat(store.duty("sweep", Fixture.claimId(), LEASE)).isFalse();
      assertThat(harness.broken()).isEmpty();
    }
  }
}
