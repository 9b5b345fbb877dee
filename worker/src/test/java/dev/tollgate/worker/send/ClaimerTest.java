package dev.tollgate.worker.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Grant;
import dev.tollgate.schema.store.Limits;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.schema.store.StoreFailures;
import dev.tollgate.schema.store.Terms;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.WriteListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ClaimerTest {
  private static final int SLOTS = 4;

  private final ScriptedAdapter provider =
      ScriptedAdapter.of("keyed", Recourse.IDEMPOTENT_CREATE, SLOTS);
  private final Store store = new Store();
  private final ChangeWriter writer =
      new ChangeWriter(
          "outcomes", store, new WriteListener() {}, 8, Duration.ZERO, System::nanoTime);

  @AfterEach
  void close() {
    writer.close();
  }

  /** Answers claims with what a test put there, and notes how it was asked. */
  private static final class Store extends ScriptedStore {
    final List<String> asked = new ArrayList<>();
    Grant grant = new Grant(List.of(), 0, 0, false);
    boolean answerLost;

    @Override
    public List<Claim> claim(int limit, UUID claim, String owner, Terms terms) {
      asked.add("claim " + limit);
      return List.of();
    }

    @Override
    public Grant claimLimited(int limit, UUID claim, String owner, Terms terms, Limits limits) {
      asked.add("claimLimited " + limit);
      if (answerLost) {
        throw StoreFailures.unavailable();
      }
      return grant;
    }

    @Override
    public List<Claim> claimed(String provider, UUID claim) {
      asked.add("claimed");
      return grant.claims();
    }
  }

  private boolean round(Lane lane) throws InterruptedException {
    Sender sender =
        new Sender(
            writer,
            new SendPolicy(3, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO),
            new SendListener() {},
            System::nanoTime,
            Optional.empty());
    return new Claimer(
            store,
            List.of(lane),
            sender,
            new SendListener() {},
            "w1",
            UUID::randomUUID,
            System::nanoTime,
            () -> false,
            () -> {})
        .runOnce();
  }

  @Test
  void laneWithoutLimits_claimsWithoutThem() throws Exception {
    Lane lane = Lanes.of(provider, System::nanoTime);
    assertThat(round(lane)).isFalse();
    assertThat(store.asked).containsExactly("claim 4");
    assertThat(lane.hasBacklog()).isFalse();
  }

  @Test
  void laneWithLimits_grantedLessThanIsDue_stillHasABacklog() throws Exception {
    Lane lane = Lanes.limited(provider, System::nanoTime);
    assertThat(round(lane)).as("asked again in the next round, not at once").isFalse();
    assertThat(store.asked).containsExactly("claimLimited 4");
    assertThat(lane.hasBacklog()).isTrue();
    assertThat(lane.inFlight()).isZero();
    store.grant = new Grant(List.of(), 0, 0, true);
    round(lane);
    assertThat(lane.hasBacklog()).isFalse();
  }

  @Test
  void laneWithLimits_answerLost_isReRead() throws Exception {
    store.answerLost = true;
    round(Lanes.limited(provider, System::nanoTime));
    assertThat(store.asked).containsExactly("claimLimited 4", "claimed");
  }

  @Test
  void laneWhoseBreakerIsOpen_asksForNothing() throws Exception {
    Lane lane = Lanes.of(provider, System::nanoTime);
    for (int i = 0; i < 10; i++) {
      lane.heard(new Verdict.Unknown("no answer"), System.nanoTime());
    }
    assertThat(round(lane)).isFalse();
    assertThat(store.asked).isEmpty();
  }
}
