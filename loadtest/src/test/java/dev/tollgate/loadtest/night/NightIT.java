package dev.tollgate.loadtest.night;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.reconciler.ladder.Ladder;
import dev.tollgate.reconciler.ladder.Settlement;
import dev.tollgate.reconciler.look.DueLooks;
import dev.tollgate.reconciler.look.Duplicates;
import dev.tollgate.reconciler.look.Investigator;
import dev.tollgate.reconciler.look.LookListener;
import dev.tollgate.reconciler.look.LookPace;
import dev.tollgate.reconciler.policy.UnknownPolicy;
import dev.tollgate.reconciler.watch.WaitingWatch;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.NewIntent;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.PostgresOperationStore;
import dev.tollgate.schema.store.PostgresSuspicions;
import dev.tollgate.schema.store.Terms;
import dev.tollgate.schema.store.TestDatabase;
import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.send.BreakerPolicy;
import dev.tollgate.worker.send.Sender;
import dev.tollgate.worker.write.ChangeWriter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A night in a minute: two providers go down with creates under way, one that shows a list and one
 * that is asked by reference, and come back in the morning. The database's clock is the test's.
 * {@code -Dnight.unknowns=20000} makes it a big one.
 */
final class NightIT {
  private static final Logger log = LoggerFactory.getLogger(NightIT.class);
  private static final int UNKNOWNS = Integer.getInteger("night.unknowns", 1000);

  private static final Duration NIGHT = Duration.ofHours(8);

  /** How often a reconciler looks for what is due. */
  private static final Duration TICK = Duration.ofMillis(250);

  /** Finer would cost a statement for each question that nobody answers. */
  private static final Duration STEP = Duration.ofSeconds(30);

  private static final Duration PAUSE_MAX = Duration.ofHours(1);
  private static final int CONCURRENCY = 16;
  private static final int BATCH = 500;

  private final DatabaseSettings settings = TestDatabase.migrated(NightIT.class);
  private final VirtualTime time = new VirtualTime(settings);
  private final Database database = new Database(settings, "night", 10, null);
  private final DSLContext sql = database.dsl();
  private final OperationStore store = new PostgresOperationStore(sql);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Meters meters = new Meters(registry);
  private final NightProvider listed =
      new NightProvider("listed", Recourse.LIST_BY_TIME, time::now);
  private final NightProvider asked =
      new NightProvider("asked", Recourse.LOOKUP_BY_REFERENCE, time::now);
  private final ChangeWriter writer =
      new ChangeWriter("findings", store, meters, 1000, Duration.ofMillis(1), System::nanoTime);
  private final WaitingWatch watch = new WaitingWatch(store, meters, time::nanos);
  private final LookPace pace =
      new LookPace(
          List.of(listed, asked),
          new BreakerPolicy(
              50,
              Duration.ofMinutes(1),
              10,
              50,
              50,
              Duration.ofSeconds(1),
              Duration.ofMinutes(1),
              25),
          CONCURRENCY,
          (provider, cause) -> {},
          time::nanos,
          RandomGenerator.of("L64X128MixRandom"));
  private final DueLooks looking =
      new DueLooks(
          store,
          new Investigator(
              pace.adapters(),
              new Ladder(store, Duration.ofSeconds(30)),
              new Settlement(
                  100,
                  10,
                  Duration.ofSeconds(2),
                  Duration.ofMillis(500),
                  Duration.ofSeconds(1),
                  PAUSE_MAX,
                  UnknownPolicy.ASK),
              writer,
              new Duplicates(
                  store, new PostgresSuspicions(sql), List.of(listed, asked), counting()),
              counting()),
          Duration.ofMinutes(1),
          pace,
          UUID::randomUUID,
          time::nanos);

  @AfterEach
  void close() {
    writer.close();
    database.close();
    time.close();
  }

  private LookListener counting() {
    return new LookListener() {
      @Override
      public void looked(String provider, String result) {
        meters.count(Meter.LOOKS, 1, "provider", provider, "result", result);
      }

      @Override
      public void duplicate(String provider, String ended) {
        throw new AssertionError("nothing is made twice in this night");
      }
    };
  }

  @Test
  void providersAreDownForHours_nothingIsSentWithoutProof_andTheMorningIsNoHerd() {
    long started = System.nanoTime();
    writer.start();
    evening();
    Instant dark = time.now();
    listed.goDown();
    asked.goDown();
    darkUntil(dark.plus(NIGHT.dividedBy(2)));
    metersShowWhatTheDatabaseHolds();
    darkUntil(dark.plus(NIGHT));
    assertThat(states())
        .as("in the dark nothing is decided")
        .isEqualTo(Map.of("unknown", (long) UNKNOWNS));
    long inTheDark = listed.asked();

    listed.comeBack();
    asked.comeBack();
    Instant morning = time.now();
    lookUntil(morning.plus(Duration.ofMinutes(10)));
    metersShowWhatTheDatabaseHolds();
    while (states().containsKey("unknown")
        && time.now().isBefore(morning.plus(PAUSE_MAX.multipliedBy(2)))) {
      lookUntil(time.now().plus(Duration.ofMinutes(5)));
    }
    metersShowWhatTheDatabaseHolds();

    assertThat(states()).isEqualTo(Map.of("accepted", UNKNOWNS / 2L, "prepared", UNKNOWNS / 2L));
    everyAnswerIsRight(morning);
    long busiest = noHerd(morning);
    double lookups = 2.0 * (listed.asked() - inTheDark) / UNKNOWNS;
    assertThat(lookups).as("lists for each unknown, once they are answered").isLessThan(0.2);
    // whether somebody is there is asked about once a minute, however many wait
    assertThat(inTheDark).as("lists in the dark").isLessThan(3 * NIGHT.toMinutes());
    log.info(
        "{} unknowns, {} h: {} questions by reference, {} lists ({} of them in the dark, {} for each unknown); in the"
            + " morning at most {} questions in a second, the last answer after {}; {} s of real time",
        UNKNOWNS,
        NIGHT.toHours(),
        asked.asked(),
        listed.asked(),
        inTheDark,
        lookups,
        busiest,
        Duration.between(morning, lastAnswer()),
        Duration.ofNanos(System.nanoTime() - started).toSeconds());
  }

  /**
   * Creates in a row, of which nobody hears what became of them; every second one is carried out.
   */
  private void evening() {
    for (int first = 0; first < UNKNOWNS; first += BATCH) {
      for (NightProvider provider : List.of(listed, asked)) {
        UUID claim = UUID.randomUUID();
        List<NewIntent> intents = new ArrayList<>();
        for (int n = first; n < Math.min(first + BATCH, UNKNOWNS); n++) {
          if ((n % 2 == 0) == (provider == listed)) {
            intents.add(Fixture.intent(n, provider.profile().name(), "params " + n, true, null));
          }
        }
        store.insert(intents, claim, "w1", List.of(terms(provider)));
        List<Claim> claims = store.claimed(provider.profile().name(), claim);
        for (Claim sent : claims) {
          if (accepted(number(sent.params()))) {
            provider.accept(
                Sender.submissionKey(sent.submissionKey()), Bytes.copyOf(sent.params()));
          }
        }
        List<Change> changes = claims.stream().map(Fixture::unknown).toList();
        assertThat(store.apply(changes)).hasSize(intents.size());
      }
      time.pass(Duration.ofSeconds(1));
    }
  }

  private static boolean accepted(int n) {
    return n / 2 % 2 == 0;
  }

  /** By its parameters. */
  private static int number(byte[] params) {
    String digits =
        new String(params, java.nio.charset.StandardCharsets.UTF_8).replaceAll("[^0-9]", "");
    return Integer.parseInt(digits);
  }

  private static Terms terms(NightProvider provider) {
    return new Terms(
        provider.profile().name(),
        NightProvider.SUBMIT_DEADLINE.dividedBy(2),
        NightProvider.SUBMIT_DEADLINE.plusSeconds(5),
        provider.profile().timing().horizonAfter(),
        Duration.ZERO,
        Recourse.bits(provider.profile().recourses()),
        provider.profile().sendsTo().digest());
  }

  /** What is due is asked and refused at once; the clock goes on in steps. */
  private void darkUntil(Instant end) {
    while (time.now().isBefore(end)) {
      boolean more = true;
      while (more) {
        more = looking.runOnce();
        settled();
      }
      onTo(time.now().plus(STEP), end);
    }
  }

  /** Each round of questions takes a tick; where nothing is due, on to where something is. */
  private void lookUntil(Instant end) {
    while (time.now().isBefore(end)) {
      looking.runOnce();
      settled();
      onTo(time.now().plus(TICK), end);
    }
  }

  private void onTo(Instant least, Instant most) {
    Instant due = nextDue();
    Instant next = due.isAfter(least) ? due : least;
    time.moveTo(next.isBefore(most) ? next : most);
  }

  private static final String HELD =
      "SELECT count(*) FROM operation WHERE state = 'unknown' AND lease_until IS NOT NULL";

  /** Until all that was claimed is stored. */
  private void settled() {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> number(HELD) == 0);
  }

  private Instant nextDue() {
    Object due = sql.fetchValue("SELECT min(at) FROM wake WHERE role = 'look'");
    return due == null ? Instant.MAX : ((OffsetDateTime) due).toInstant();
  }

  private Map<String, Long> states() {
    Map<String, Long> states = new TreeMap<>();
    sql.fetch("SELECT state::text, count(*) FROM operation GROUP BY state")
        .forEach(row -> states.put(row.get(0, String.class), row.get(1, Long.class)));
    return states;
  }

  private void metersShowWhatTheDatabaseHolds() {
    time.pass(Duration.ofMinutes(1)); // the watch rests for as long as its last round was dear
    watch.runOnce();
    for (NightProvider provider : List.of(listed, asked)) {
      String name = provider.profile().name();
      for (String role : List.of("claim", "look", "follow", "person")) {
        assertThat(gauge(Meter.WAITING, name, role))
            .as("%s %s", name, role)
            .isEqualTo(
                number(
                    "SELECT count(*) FROM wake WHERE provider = ? AND role::text = ?", name, role));
        assertThat(gauge(Meter.WAITING_OLDEST, name, role))
            .as("%s %s", name, role)
            .isCloseTo(
                number(
                    "SELECT coalesce(extract(epoch FROM now() - min(since)), 0) FROM wake WHERE provider = ? AND role::text = ?",
                    name,
                    role),
                org.assertj.core.api.Assertions.within(0.001));
      }
      double counted =
          registry.find(Meter.LOOKS.meterName()).tags("provider", name).counters().stream()
              .mapToDouble(Counter::count)
              .sum();
      assertThat(counted)
          .as("looks at %s", name)
          .isEqualTo(
              number(
                  "SELECT coalesce(sum(o.looks), 0) FROM operation o JOIN intent i ON i.op_key = o.op_key WHERE i.provider = ?",
                  name));
    }
  }

  private double gauge(Meter meter, String provider, String role) {
    return Objects.requireNonNull(
            registry.find(meter.meterName()).tags("provider", provider, "for", role).gauge())
        .value();
  }

  private double number(String query, Object... binds) {
    return ((Number) Objects.requireNonNull(sql.fetchValue(query, binds))).doubleValue();
  }

  /**
   * What was carried out is found; what is to be sent again was proved absent, and after the dark.
   */
  private void everyAnswerIsRight(Instant morning) {
    sql.fetch(
            """
            SELECT i.params, i.submission_key, o.state::text, o.remote_id,
                   (SELECT min(e.at) FROM evidence e
                    WHERE e.seq = o.seq AND e.op_key = o.op_key AND e.code IN ('FOUND', 'ABSENT')) AS told,
                   (SELECT string_agg(e.code, ' ') FROM evidence e
                    WHERE e.seq = o.seq AND e.op_key = o.op_key AND e.code IN ('FOUND', 'ABSENT', 'PROTECTED_RESEND'))
            FROM operation o JOIN intent i ON i.op_key = o.op_key
            """)
        .forEach(
            row -> {
              int n = number(row.get(0, byte[].class));
              String task = "task-" + Sender.submissionKey(row.get(1, byte[].class));
              assertThat(row.get(2, String.class))
                  .as("%d", n)
                  .isEqualTo(accepted(n) ? "accepted" : "prepared");
              assertThat(row.get(3, String.class)).as("%d", n).isEqualTo(accepted(n) ? task : null);
              assertThat(row.get(4, OffsetDateTime.class).toInstant())
                  .as("%d", n)
                  .isAfterOrEqualTo(morning);
              assertThat(row.get(5, String.class))
                  .as("%d", n)
                  .isEqualTo(accepted(n) ? "FOUND" : "ABSENT");
            });
  }

  private Instant lastAnswer() {
    Object at = sql.fetchValue("SELECT max(at) FROM evidence WHERE code IN ('FOUND', 'ABSENT')");
    return Objects.requireNonNull((OffsetDateTime) at).toInstant();
  }

  /**
   * Whoever comes back is asked by one, then two, four, eight, as the answers come, and never by
   * more at once than is allowed.
   */
  private long noHerd(Instant morning) {
    long ticks = Duration.ofSeconds(1).dividedBy(TICK);
    Collection<Long> questions = asked.askedSince(morning).values();
    assertThat(questions).isNotEmpty().allMatch(count -> count <= CONCURRENCY * ticks);
    assertThat(questions.iterator().next())
        .as("in the first second")
        .isLessThanOrEqualTo(CONCURRENCY);
    assertThat(listed.askedSince(morning).values()).allMatch(count -> count <= 4);
    return questions.stream().mapToLong(count -> count).max().orElse(0);
  }
}
