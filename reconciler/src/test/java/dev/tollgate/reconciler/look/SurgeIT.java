package dev.tollgate.reconciler.look;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.reconciler.ladder.Ladder;
import dev.tollgate.reconciler.ladder.Settlement;
import dev.tollgate.reconciler.policy.UnknownPolicy;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.PostgresHarness;
import dev.tollgate.schema.store.PostgresSuspicions;
import dev.tollgate.schema.store.StoredOperation;
import dev.tollgate.schema.store.Terms;
import dev.tollgate.schema.store.TestDatabase;
import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.OutputSink;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.send.BreakerPolicy;
import dev.tollgate.worker.send.Protection.Cause;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.WriteListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A provider that is away while a pile of operations becomes unknown, on the real store and a clock
 * of the test's: it is left alone, then met by one question, two, four, and nothing is sent again.
 */
final class SurgeIT {
  private static final String PROVIDER = Fixture.PROVIDER;
  private static final int UNKNOWNS = 400;
  private static final int CONCURRENCY = 16;
  private static final BreakerPolicy POLICY =
      new BreakerPolicy(
          50, Duration.ofMinutes(1), 10, 50, 50, Duration.ofSeconds(1), Duration.ofMinutes(1), 25);

  private final PostgresHarness harness = new PostgresHarness(TestDatabase.migrated(SurgeIT.class));
  private final OperationStore store = harness.store();
  private final AtomicLong now = new AtomicLong();
  private final Provider provider = new Provider();
  private final List<String> opened = new CopyOnWriteArrayList<>();
  private final LookPace pace =
      new LookPace(
          List.of(provider),
          POLICY,
          CONCURRENCY,
          (name, cause) -> opened.add(name + " " + cause),
          now::get,
          RandomGenerator.getDefault());
  private final ChangeWriter writer =
      new ChangeWriter(
          "findings", store, new WriteListener() {}, 100, Duration.ZERO, System::nanoTime);
  private final AtomicInteger looked = new AtomicInteger();
  private final DueLooks looks =
      new DueLooks(
          store,
          new Investigator(
              pace.adapters(),
              new Ladder(store, Duration.ofSeconds(10)),
              settlement(),
              writer,
              new Duplicates(
                  store, new PostgresSuspicions(harness.sql()), List.of(provider), listener()),
              listener()),
          Duration.ofMinutes(1),
          pace,
          UUID::randomUUID,
          now::get);

  private LookListener listener() {
    return new LookListener() {
      @Override
      public void looked(String provider, String result) {
        looked.incrementAndGet();
      }

      @Override
      public void duplicate(String provider, String ended) {}
    };
  }

  private static Settlement settlement() {
    TollgateConfig config =
        ConfigFile.read(
            Optional.empty(),
            Map.of(
                "tollgate.kafka.bootstrap-servers", "none:1",
                "tollgate.database.url", "jdbc:postgresql://none/none"));
    return new Settlement(
        100,
        10,
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        Duration.ofMinutes(5),
        UnknownPolicy.of(config));
  }

  @BeforeEach
  void start() {
    writer.start();
    int carries = Recourse.bits(List.of(Recourse.LOOKUP_BY_REFERENCE));
    Terms terms =
        new Terms(
            PROVIDER,
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            Duration.ZERO,
            Duration.ZERO,
            carries,
            ScriptedAdapter.SENDS_TO.digest());
    UUID claim = UUID.randomUUID();
    store.insert(
        IntStream.range(0, UNKNOWNS).mapToObj(Fixture::sendNow).toList(),
        claim,
        Fixture.OWNER,
        List.of(terms));
    List<Claim> claims = store.claimed(PROVIDER, claim);
    store.apply(claims.stream().map(Fixture::unknown).toList());
    harness.letTimePass();
  }

  @AfterEach
  void close() {
    writer.close();
    harness.close();
  }

  /** One round of looks, and the end of all of them. */
  private int round() {
    int asked = provider.asked.get();
    looks.runOnce();
    await().until(() -> harness.sql().fetchCount(held()) == 0);
    return provider.asked.get() - asked;
  }

  private static org.jooq.Table<?> held() {
    return org.jooq.impl.DSL.table("(SELECT FROM operation WHERE lease_until > now()) AS held");
  }

  @Test
  void outage_isNoticed_andMetByARamp() {
    provider.away = true;
    List<Integer> first = rounds(5);
    assertThat(opened).containsExactly(PROVIDER + " unknown");
    assertThat(first.stream().mapToInt(n -> n).sum())
        .as("questions before nobody asks: a few rounds of a quarter of the width")
        .isBetween(10, 2 * CONCURRENCY);
    assertThat(pace.held(PROVIDER, Cause.UNKNOWN)).isEqualTo(1);
    assertThat(pace.held(PROVIDER, Cause.THROTTLED)).isZero();
    assertThat(pace.isSteady()).isFalse();

    int asked = provider.asked.get();
    for (int minutes = 0; minutes < 60; minutes++) {
      pass(Duration.ofMinutes(1).plusSeconds(13)); // the longest pause, and its jitter
      rounds(2);
    }
    assertThat(provider.asked.get() - asked)
        .as("an hour away: one question for each pause, not one for each operation")
        .isLessThanOrEqualTo(60);
    assertThat(looked.get()).as("what waits costs no look").isEqualTo(provider.asked.get());
    assertThat(harness.count(OperationState.UNKNOWN)).isEqualTo(UNKNOWNS);

    provider.away = false;
    pass(Duration.ofMinutes(2));
    List<Integer> ramp = rounds(6);
    assertThat(ramp).containsExactly(1, 2, 4, 8, CONCURRENCY, CONCURRENCY);
    assertThat(pace.held(PROVIDER, Cause.UNKNOWN)).isZero();
    assertThat(pace.isSteady()).isTrue();
    while (harness.count(OperationState.UNKNOWN) > 0) {
      harness.letTimePass();
      assertThat(round()).isLessThanOrEqualTo(CONCURRENCY);
    }
    assertThat(provider.most.get()).isLessThanOrEqualTo(CONCURRENCY);
    assertThat(harness.count(OperationState.ACCEPTED)).isEqualTo(UNKNOWNS);
    for (int n = 0; n < UNKNOWNS; n++) {
      StoredOperation operation = harness.get(Fixture.key(n));
      assertThat(operation.attempts()).as("sent once").isEqualTo(1);
      assertThat(operation.looks()).as("looks of one operation").isLessThan(10);
    }
    assertThat(provider.submits.get()).isZero();
  }

  /** What failed together does not come back together: each has a pause of its own length. */
  @Test
  void nextLooks_areScattered() {
    provider.away = true;
    for (int i = 0; i < 5; i++) {
      round();
    }
    List<Long> pauses =
        harness
            .sql()
            .fetch(
                "SELECT (extract(epoch FROM w.at - e.at) * 1000)::int8 FROM wake w"
                    + " JOIN evidence e ON e.seq = w.seq AND e.op_key = w.op_key WHERE e.code = 'UNDECIDED'")
            .map(row -> (Long) row.get(0));
    assertThat(pauses).hasSizeGreaterThanOrEqualTo(10);
    assertThat(pauses).allMatch(pause -> pause >= 500 && pause <= 1000);
    assertThat(pauses.stream().distinct().count()).isGreaterThan(pauses.size() / 2);
  }

  @Test
  void providerThatAsksForAPause_getsIt() {
    provider.throttles = Duration.ofSeconds(30);
    harness
        .sql()
        .execute(
            "INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, remote_id)"
                + " SELECT seq, op_key, 1, now(), 1, 'submit', 'STALE_FENCE', false, 'job-' || seq FROM operation");
    round();
    assertThat(pace.held(PROVIDER, Cause.ASKED)).isEqualTo(1);
    int asked = provider.asked.get();
    pass(Duration.ofSeconds(29));
    rounds(3);
    assertThat(provider.asked.get()).isEqualTo(asked);
  }

  private List<Integer> rounds(int many) {
    List<Integer> asked = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      harness.letTimePass();
      asked.add(round());
    }
    return asked;
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  /** Finds every task, or does not answer. */
  private static final class Provider implements ProviderAdapter {
    private final ScriptedAdapter usual =
        ScriptedAdapter.of(PROVIDER, Recourse.LOOKUP_BY_REFERENCE, CONCURRENCY);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger submits = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private volatile boolean away;
    private volatile Duration throttles = Duration.ZERO;

    @Override
    public ProviderProfile profile() {
      return usual.profile();
    }

    @Override
    public LookupResult findByReference(String reference) {
      most.accumulateAndGet(open.incrementAndGet(), Math::max);
      asked.incrementAndGet();
      try {
        return away
            ? new LookupResult.Unavailable("no answer")
            : new LookupResult.Candidates(
                List.of(
                    new Candidate(
                        "task-" + reference, Instant.EPOCH, Optional.empty(), Optional.empty())),
                true);
      } finally {
        open.decrementAndGet();
      }
    }

    @Override
    public StatusResult status(String remoteId) {
      asked.incrementAndGet();
      return new StatusResult.Throttled(throttles);
    }

    @Override
    public SubmitResult submit(Submission submission) {
      submits.incrementAndGet();
      return usual.submit(submission);
    }

    @Override
    public LookupResult list(Instant from, Instant to) {
      return usual.list(from, to);
    }

    @Override
    public DownloadResult download(OutputRef output, OutputSink sink, long maxBytes)
        throws java.io.IOException {
      return usual.download(output, sink, maxBytes);
    }

    @Override
    public void close() {}
  }
}
