package dev.tollgate.reconciler.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Look;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Operations that ask for the same in the same second, some of which created a task and some of
 * which did not, beside tasks of others: whatever is found is found right.
 */
final class LookalikesTest {
  private static final int TRIALS = 10_000;
  private static final Instant BEGAN = Instant.parse("2025-06-01T12:00:00Z");
  private static final Instant HORIZON =
      BEGAN.plus(ScriptedAdapter.SUBMIT_DEADLINE).plus(ScriptedAdapter.HORIZON);
  private static final List<String> INPUTS =
      List.of("{\"prompt\":\"a red kite\"}", "{\"prompt\":\"a blue kite\"}");

  private int found;
  private int absent;
  private int people;

  /** One operation whose answer was lost, and its task, if there is one. */
  private record Lost(OperationKey key, String input, Optional<Candidate> task) {}

  /** What is on record, and what is open. */
  private static final class Books extends ScriptedStore {
    private final Map<String, OperationKey> owners = new HashMap<>();
    private final Map<OperationKey, String> open = new HashMap<>();

    @Override
    public Map<OperationKey, Set<String>> remoteIdsSeen(Collection<OperationKey> keys) {
      return Map.of();
    }

    @Override
    public Map<String, OperationKey> owners(String provider, Collection<String> remoteIds) {
      Map<String, OperationKey> some = new HashMap<>(owners);
      some.keySet().retainAll(remoteIds);
      return some;
    }

    @Override
    public List<OperationKey> rivals(OperationKey key, String provider) {
      return open.entrySet().stream()
          .filter(other -> !other.getKey().equals(key))
          .filter(other -> other.getValue().equals(open.get(key)))
          .map(Map.Entry::getKey)
          .toList();
    }
  }

  @Test
  void lookalikes_areNeverMatchedWrongly() {
    for (int seed = 0; seed < TRIALS; seed++) {
      trial(seed);
    }
    assertThat(found).as("found").isGreaterThan(TRIALS / 4);
    assertThat(absent).as("absent").isGreaterThan(TRIALS / 20);
    assertThat(people).as("for a person").isGreaterThan(TRIALS / 20);
  }

  private void trial(int seed) {
    Random random = new Random(seed);
    Books books = new Books();
    List<Candidate> listed = new ArrayList<>();
    List<Lost> lost = new ArrayList<>();
    for (int n = 1; n <= 1 + random.nextInt(5); n++) {
      lost.add(lost(n, random));
    }
    lost.forEach(one -> books.open.put(one.key(), one.input()));
    lost.forEach(one -> one.task().ifPresent(listed::add));
    others(random, books, listed);
    Collections.shuffle(listed, random);
    Collections.shuffle(lost, random);
    ScriptedAdapter adapter = ScriptedAdapter.of("p", Recourse.LIST_BY_TIME, 4);
    Ladder ladder = new Ladder(books, Duration.ofSeconds(10));
    for (Instant now : List.of(BEGAN.plusSeconds(2), HORIZON.plusSeconds(1))) {
      for (Lost one : lost) {
        if (books.open.containsKey(one.key())) {
          adapter.finds(new LookupResult.Candidates(listed, true));
          judge(seed, one, ladder.climb(look(one, now), adapter), books);
        }
      }
    }
  }

  private void judge(int seed, Lost one, Finding finding, Books books) {
    switch (finding) {
      case Finding.Found(String remoteId, String _, List<String> _) -> {
        assertThat(Optional.of(remoteId))
            .as("seed %d, %s", seed, one.key())
            .isEqualTo(one.task().map(Candidate::remoteId));
        books.owners.put(remoteId, one.key());
        books.open.remove(one.key());
        found++;
      }
      case Finding.Absent _ -> {
        assertThat(one.task()).as("seed %d, %s", seed, one.key()).isEmpty();
        books.open.remove(one.key());
        absent++;
      }
      case Finding.Ambiguous _ -> people++;
      case Finding.Undecided _ -> {}
      case Finding.NoWay _, Finding.Resend _, Finding.Misplaced _ ->
          throw new AssertionError("seed " + seed + ": " + finding);
    }
  }

  private static Lost lost(int n, Random random) {
    String input = INPUTS.get(random.nextInt(INPUTS.size()));
    // now and then a provider does not show what a task was asked for
    Optional<Bytes> shown =
        random.nextInt(8) == 0 ? Optional.empty() : Optional.of(Bytes.utf8(input));
    Instant created = BEGAN.plusMillis(random.nextInt(1000));
    Optional<Candidate> task =
        random.nextInt(3) == 0
            ? Optional.empty()
            : Optional.of(new Candidate("t-" + n, created, shown, Optional.empty()));
    return new Lost(Fixture.key(n), input, task);
  }

  /** Tasks of operations that are on record, and of somebody who asks for other things. */
  private static void others(Random random, Books books, List<Candidate> listed) {
    for (int n = 100; n < 100 + random.nextInt(4); n++) {
      String input = INPUTS.get(random.nextInt(INPUTS.size()));
      listed.add(new Candidate("t-" + n, BEGAN, Optional.of(Bytes.utf8(input)), Optional.empty()));
      books.owners.put("t-" + n, Fixture.key(n));
    }
    if (random.nextBoolean()) {
      Bytes input = Bytes.utf8("{\"prompt\":\"a red kite \"}");
      listed.add(new Candidate("foreign", BEGAN, Optional.of(input), Optional.empty()));
    }
  }

  private static Look look(Lost one, Instant now) {
    return new Look(
        one.key(),
        "p",
        2,
        UUID.randomUUID(),
        1,
        1,
        BEGAN,
        BEGAN,
        HORIZON,
        now,
        Fixture.utf8(one.input()),
        new byte[16],
        1,
        Recourse.bits(EnumSet.allOf(Recourse.class)),
        OptionalLong.of(ScriptedAdapter.of("p", Recourse.NONE, 4).profile().sendsTo().digest()),
        1,
        null,
        null);
  }
}
