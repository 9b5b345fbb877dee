package dev.tollgate.worker.write;

import static dev.tollgate.schema.store.Fixture.accepted;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.schema.store.StoreFailures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ChangeWriterTest {
  private final Store store = new Store();
  private final Heard heard = new Heard();
  private final Map<OperationKey, Integer> done = new ConcurrentHashMap<>();
  private final ChangeWriter writer =
      new ChangeWriter("writer", store, heard, 8, Duration.ofMillis(5), System::nanoTime);

  @AfterEach
  void close() {
    store.away = false;
    writer.close();
  }

  /** Applies everything unless told otherwise, and remembers what it was asked. */
  private static final class Store extends ScriptedStore {
    final List<List<Change>> applied = new CopyOnWriteArrayList<>();
    final List<Map<OperationKey, String>> late = new CopyOnWriteArrayList<>();
    final Set<OperationKey> stale = ConcurrentHashMap.newKeySet();
    final Set<OperationKey> suspects = ConcurrentHashMap.newKeySet();
    final Set<OperationKey> inEffect = ConcurrentHashMap.newKeySet();

    /** What goes wrong with a call of apply, by its number from 1. */
    volatile Function<Integer, @Nullable RuntimeException> failure = _ -> null;

    volatile @Nullable OperationKey poison;
    volatile @Nullable String taken;
    volatile @Nullable RuntimeException lateFails;
    volatile @Nullable RuntimeException twinsFail;
    volatile boolean away;
    private int calls;

    @Override
    public Set<OperationKey> apply(List<Change> changes) {
      applied.add(List.copyOf(changes));
      RuntimeException failing = away ? StoreFailures.unavailable() : failure.apply(++calls);
      if (failing != null) {
        throw failing;
      }
      Set<OperationKey> keys = new LinkedHashSet<>();
      for (Change change : changes) {
        if (change.key().equals(poison)) {
          throw new IllegalStateException("check violated");
        }
        if (change.remoteId() != null && change.remoteId().equals(taken)) {
          throw StoreFailures.remoteIdTaken();
        }
        assertThat(keys.add(change.key())).as("a key once in a batch").isTrue();
      }
      keys.removeAll(stale);
      return keys;
    }

    @Override
    public Map<OperationKey, OperationKey> twins(Collection<OperationKey> keys) {
      if (twinsFail != null) {
        throw twinsFail;
      }
      return keys.contains(key(1)) ? Map.of(key(1), key(7)) : Map.of();
    }

    @Override
    public Set<OperationKey> effective(List<Change> changes) {
      return inEffect;
    }

    @Override
    public Set<OperationKey> lateEvidence(Map<OperationKey, String> remoteIds) {
      if (remoteIds.isEmpty()) {
        return Set.of();
      }
      late.add(Map.copyOf(remoteIds));
      if (lateFails != null) {
        throw lateFails;
      }
      Set<OperationKey> suspected = new HashSet<>(suspects);
      suspected.retainAll(remoteIds.keySet());
      return suspected;
    }
  }

  private static final class Heard implements WriteListener {
    final List<Change> applied = new CopyOnWriteArrayList<>();
    final List<Change> stale = new CopyOnWriteArrayList<>();
    final List<Change> suspected = new CopyOnWriteArrayList<>();
    final List<Change> refused = new CopyOnWriteArrayList<>();
    final List<OperationKey> duplicates = new CopyOnWriteArrayList<>();

    @Override
    public void duplicateOutput(Change change, OperationKey other) {
      duplicates.addAll(List.of(change.key(), other));
    }

    @Override
    public void applied(Change change) {
      applied.add(change);
    }

    @Override
    public void stale(Change change) {
      stale.add(change);
    }

    @Override
    public void suspectedDuplicate(Change change) {
      suspected.add(change);
    }

    @Override
    public void refused(Change change, RuntimeException why) {
      refused.add(change);
    }
  }

  /** Hands the changes in before the writer starts, so that they are one batch, and waits. */
  private void write(Change... changes) throws InterruptedException {
    CountDownLatch all = new CountDownLatch(changes.length);
    for (Change change : changes) {
      writer.write(
          change,
          () -> {
            done.merge(change.key(), 1, Integer::sum);
            all.countDown();
          });
    }
    writer.start();
    assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
    writer.close();
  }

  private static Change change(int n) {
    return accepted(claim(n), "task-" + n);
  }

  private static Claim claim(int n) {
    return new Claim(
        key(n),
        "keyed",
        1,
        UUID.randomUUID(),
        1,
        false,
        Fixture.utf8("{}"),
        new byte[16],
        false,
        n);
  }

  @Test
  void write_manyAtOnce_isOneStatement() throws Exception {
    write(change(1), change(2), change(3));
    assertThat(store.applied).hasSize(1);
    assertThat(heard.applied).hasSize(3);
    assertThat(done).containsOnly(Map.entry(key(1), 1), Map.entry(key(2), 1), Map.entry(key(3), 1));
  }

  @Test
  void write_sameKeyTwice_goesInTwoStatementsInOrder() throws Exception {
    Change first = change(1);
    Change second = change(1);
    write(first, second, change(2));
    assertThat(store.applied).hasSize(2);
    assertThat(store.applied.get(0)).hasSize(2).contains(first);
    assertThat(store.applied.get(1)).containsExactly(second);
  }

  @Test
  void fc19_answerLostAndChangeInEffect_isAppliedNotStale() throws Exception {
    store.failure = call -> call == 1 ? StoreFailures.unavailable() : null;
    store.stale.addAll(Set.of(key(1), key(2))); // the repeat finds them done or taken by others
    store.inEffect.add(key(1));
    write(change(1), change(2));
    assertThat(heard.applied).extracting(Change::key).containsExactly(key(1));
    assertThat(heard.stale).extracting(Change::key).containsExactly(key(2));
    assertThat(store.late).containsExactly(Map.of(key(2), "task-2"));
  }

  @Test
  void notReplicated_isRepeatedUntilConfirmed() throws Exception {
    store.failure = call -> call <= 2 ? StoreFailures.notReplicated() : null;
    write(change(1));
    assertThat(store.applied).hasSize(3);
    assertThat(heard.applied).hasSize(1);
  }

  @Test
  void stale_wakesTheReconcilerAndNamesTheTask() throws Exception {
    store.stale.add(key(1));
    store.suspects.add(key(1));
    write(change(1), change(2));
    assertThat(store.late).containsExactly(Map.of(key(1), "task-1"));
    assertThat(heard.suspected).extracting(Change::key).containsExactly(key(1));
    assertThat(heard.applied).extracting(Change::key).containsExactly(key(2));
  }

  @Test
  void lateEvidenceCannotBeTold_everyChangeIsStillSettledOnce() throws Exception {
    store.stale.add(key(1));
    for (RuntimeException why :
        List.of(StoreFailures.unavailable(), new IllegalStateException("a defect"))) {
      store.lateFails = why;
    }
    write(change(1), change(2));
    assertThat(done).containsOnly(Map.entry(key(1), 1), Map.entry(key(2), 1));
    assertThat(heard.applied).extracting(Change::key).containsExactly(key(2));
    assertThat(store.applied).hasSize(1);
  }

  @Test
  void outputWithATwin_isTold() throws Exception {
    write(complete(1), complete(2), change(3));
    assertThat(heard.duplicates).containsExactly(key(1), key(7));
    assertThat(heard.applied).hasSize(3);
  }

  @Test
  void twinsThatCannotBeLookedFor_hurtNobody() throws Exception {
    store.twinsFail = StoreFailures.unavailable();
    write(complete(1), change(3));
    assertThat(heard.applied).hasSize(2);
    assertThat(heard.duplicates).isEmpty();
    assertThat(store.applied).hasSize(1);
  }

  private static Change complete(int n) {
    UUID claim = UUID.nameUUIDFromBytes(key(n).bytes());
    return Fixture.complete(
        new Follow(key(n), "keyed", 1, claim, "job-" + n, n, 0), Fixture.output(n));
  }

  @Test
  void listenerFails_everyChangeIsStillSettledOnce() throws Exception {
    List<Change> told = new ArrayList<>();
    ChangeWriter other =
        new ChangeWriter(
            "other",
            store,
            new WriteListener() {
              @Override
              public void applied(Change change) {
                told.add(change);
                throw new IllegalStateException("a defect of the listener");
              }
            },
            8,
            Duration.ofMillis(5),
            System::nanoTime);
    CountDownLatch all = new CountDownLatch(2);
    for (int n = 1; n <= 2; n++) {
      OperationKey key = key(n);
      other.write(
          change(n),
          () -> {
            done.merge(key, 1, Integer::sum);
            all.countDown();
          });
    }
    other.start();
    assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
    other.close();
    assertThat(done).containsOnly(Map.entry(key(1), 1), Map.entry(key(2), 1));
    assertThat(told).hasSize(2);
  }

  @Test
  void remoteIdTaken_batchIsStoredOneByOneAndTheOneGoesToAPerson() throws Exception {
    store.taken = "task-2";
    write(change(1), change(2), change(3));
    assertThat(heard.applied).hasSize(3);
    Change second =
        heard.applied.stream().filter(c -> c.key().equals(key(2))).findFirst().orElseThrow();
    assertThat(second.to()).isEqualTo(OperationState.UNKNOWN);
    assertThat(second.review()).isEqualTo(Code.REMOTE_ID_TAKEN);
    assertThat(second.remoteId()).isNull();
    assertThat(second.evidence().remoteId()).isEqualTo("task-2");
    assertThat(heard.applied)
        .filteredOn(c -> !c.key().equals(key(2)))
        .extracting(Change::to)
        .containsOnly(OperationState.ACCEPTED);
    assertThat(done.values()).containsOnly(1);
  }

  @Test
  void poison_isRefusedAloneAndGivesItsSlotBack() throws Exception {
    store.poison = key(2);
    write(change(1), change(2), change(3));
    assertThat(heard.refused).extracting(Change::key).containsExactly(key(2));
    assertThat(heard.applied).extracting(Change::key).containsExactly(key(1), key(3));
    assertThat(done).hasSize(3);
    assertThat(done.values()).containsOnly(1);
  }

  @Test
  void close_storeAnswers_writesWhatWasHandedIn() {
    for (int n = 0; n < 50; n++) {
      OperationKey key = key(n);
      writer.write(change(n), () -> done.merge(key, 1, Integer::sum));
    }
    writer.start();
    writer.close();
    assertThat(done).hasSize(50);
    assertThat(heard.applied).hasSize(50);
    assertThat(store.applied).allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(8));
  }

  @Test
  void close_neverStarted_returns() {
    writer.close();
    assertThat(store.applied).isEmpty();
  }
}
