package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.embedded.Ports;
import dev.tollgate.loadtest.sandbox.Kind;
import dev.tollgate.loadtest.sandbox.Ledger;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Decision;
import dev.tollgate.schema.store.OperationReader;
import dev.tollgate.schema.store.OperationSummary;
import dev.tollgate.schema.store.PostgresReviews;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Five hundred creates in a row of which nobody heard what became of them: every second one was
 * carried out and its answer lost, the others never were. Whatever a provider offers, each ends
 * with one task.
 */
final class AmbiguousCreatesIT {
  private static final Logger log = LoggerFactory.getLogger(AmbiguousCreatesIT.class);

  private static final int CREATES = 500;

  /** Carried out; the answer says nothing, is cut before the id, or never comes. */
  private static final List<String> LOST =
      List.of("accept/drop", "accept/rst", "accept/cut@0", "accept+500", "accept+503");

  /** Not carried out, and nobody says so. */
  private static final List<String> DROPPED = List.of("hang", "503", "500");

  /** A list shows up to this many tasks, and one list serves many unknowns. */
  private static final double LOOKUPS_MAX = 0.2;

  /** What a provider offers for finding out. */
  enum Offer {
    IDEMPOTENCY_KEY(Kind.KEYED, Kind.KEYED.offers()),
    CLIENT_REFERENCE(Kind.LOOKUP, Kind.LOOKUP.offers()),
    LIST(Kind.LISTED, Kind.LISTED.offers()),
    CALLBACK(Kind.BLIND, "callback-per-request"),
    NOTHING(Kind.BLIND, "none");

    private final Kind kind;
    private final String offers;

    Offer(Kind kind, String offers) {
      this.kind = kind;
      this.offers = offers;
    }

    /** Whether only a person can say of a create that it was not carried out. */
    boolean asksPeople() {
      return this == CALLBACK || this == NOTHING;
    }
  }

  /**
   * One operation at its end.
   *
   * @param sent how many creates of it the provider got
   * @param task what the provider made for it
   * @param kept the task that is on record
   * @param evidence codes of what was found out, oldest first
   */
  private record End(
      boolean accepted, long sent, @Nullable String task, String kept, List<String> evidence) {}

  private final Stage stage = Stage.open(AmbiguousCreatesIT.class);

  @AfterEach
  void close() {
    stage.close();
  }

  @ParameterizedTest
  @EnumSource
  void fiveHundredAmbiguousCreates_endWithOneTaskEach_andTheRightAnswer(Offer offer) {
    String name = offer.kind.path();
    int port = Ports.free();
    stage
        .provider(name, offer.kind, offer.offers)
        .set("providers." + name + ".concurrency", "100")
        .set("providers." + name + ".callback-wait", "2s")
        .set("callbacks", "http://127.0.0.1:" + port)
        .set("webhooks.port", "" + port)
        // as they are shipped: what a look costs is part of what is shown
        .set("reconciler.look-after", "2s")
        .set("reconciler.look-pause", "1s")
        .set("reconciler.look-pause-max", "5m")
        // all of this provider's outcomes are unknown, which would have it left alone
        .set("worker.breaker.window", "100000")
        .set("worker.breaker.outcomes-min", "100000")
        .set("worker.breaker.start-percent", "100");
    stage.run();
    stage.publishAll(creates(name));

    if (offer.asksPeople()) {
      await("SELECT key FROM operations WHERE state <> 'complete' AND review IS NULL");
      peopleDecide(offer);
    }
    await("SELECT key FROM operations WHERE state <> 'complete'");
    assertThat(stage.states()).hasSize(CREATES);

    Map<Integer, End> ends = ends();
    assertThat(ends).hasSize(CREATES);
    ends.forEach((n, end) -> rightAnswer(offer, n, end));
    assertThat(stage.ledger().tasks()).hasSize(CREATES);
    double lookups = (double) stage.sandbox().searches(offer.kind) / CREATES;
    log.info("{}: {} lookups for each unknown; {}", offer, lookups, times());
    if (offer == Offer.LIST) {
      assertThat(lookups).as("pages of the list for each unknown").isLessThan(LOOKUPS_MAX);
    }
    Audit.check(stage);
    Audit.outboxIsEmptied(stage);
  }

  private static List<String> creates(String provider) {
    List<String> requests = new ArrayList<>();
    for (int n = 0; n < CREATES; n++) {
      List<String> faults = accepted(n) ? LOST : DROPPED;
      requests.add(request(provider, "film-" + n, faults.get(n / 2 % faults.size())));
    }
    return requests;
  }

  private static boolean accepted(int n) {
    return n % 2 == 0;
  }

  private void await(String notYet) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              assertThat(stage.states()).hasSize(CREATES);
              assertThat(stage.sql(notYet + " LIMIT 3")).isEmpty();
            });
  }

  /** As people would who look it up in the provider's own console. */
  private void peopleDecide(Offer offer) {
    Map<String, String> tasks = new HashMap<>();
    stage.ledger().tasks().forEach(task -> tasks.put(String.valueOf(task.input()), task.id()));
    OperationReader reader = new OperationReader(stage.database().dsl());
    PostgresReviews reviews = new PostgresReviews(stage.database().dsl());
    Map<OperationKey, String> waiting = new HashMap<>();
    stage
        .database()
        .dsl()
        .fetch(
            """
            SELECT i.op_key, convert_from(i.params, 'UTF8') FROM operation o JOIN intent i ON i.op_key = o.op_key
            WHERE o.review IS NOT NULL
            """)
        .forEach(
            row ->
                waiting.put(
                    OperationKey.fromBytes(row.get(0, byte[].class)), row.get(1, String.class)));
    assertThat(waiting).hasSize(offer == Offer.NOTHING ? CREATES : CREATES / 2);
    // absent only after the horizon
    Stage.eventually()
        .until(
            () -> {
              waiting
                  .entrySet()
                  .removeIf(
                      one -> decided(reader, reviews, one.getKey(), tasks.get(one.getValue())));
              return waiting.isEmpty();
            });
  }

  private static boolean decided(
      OperationReader reader, PostgresReviews reviews, OperationKey key, @Nullable String task) {
    OperationSummary seen = reader.show(key).orElseThrow().summary();
    return reviews.settle(
            new Decision(
                seen,
                UUID.randomUUID(),
                task == null ? Decision.What.ABSENT : Decision.What.FOUND,
                task,
                false,
                "anna",
                "looked up in the provider's console"))
        == Decision.Outcome.STORED;
  }

  /** By the number of the create. */
  private Map<Integer, End> ends() {
    Ledger ledger = stage.ledger();
    Map<String, List<Ledger.Request>> sent =
        ledger.requests().stream()
            .collect(Collectors.groupingBy(request -> String.valueOf(request.input())));
    Map<String, String> tasks =
        ledger.tasks().stream()
            .collect(Collectors.toMap(task -> String.valueOf(task.input()), Ledger.Task::id));
    Map<Integer, End> ends = new HashMap<>();
    stage
        .database()
        .dsl()
        .fetch(
            """
            SELECT (i.dimensions::json ->> 'product')::text, convert_from(i.params, 'UTF8'), o.remote_id,
                   (SELECT coalesce(string_agg(code, ' ' ORDER BY at), '') FROM evidence e
                    WHERE e.seq = o.seq AND e.op_key = o.op_key AND code IN ('FOUND', 'ABSENT', 'PROTECTED_RESEND'))
            FROM operation o JOIN intent i ON i.op_key = o.op_key
            """)
        .forEach(
            row -> {
              int n = Integer.parseInt(row.get(0, String.class).substring("film-".length()));
              String params = row.get(1, String.class);
              String codes = row.get(3, String.class);
              ends.put(
                  n,
                  new End(
                      accepted(n),
                      sent.getOrDefault(params, List.of()).size(),
                      tasks.get(params),
                      row.get(2, String.class),
                      codes.isEmpty() ? List.of() : List.of(codes.split(" "))));
            });
    return ends;
  }

  private static void rightAnswer(Offer offer, int n, End end) {
    assertThat(end.kept).as("%s %d %s", offer, n, end).isEqualTo(end.task);
    if (offer == Offer.IDEMPOTENCY_KEY) {
      assertThat(end.sent).as("%d %s", n, end).isGreaterThan(1);
      assertThat(end.evidence).as("%d %s", n, end).containsOnly("PROTECTED_RESEND").isNotEmpty();
    } else if (end.accepted) {
      assertThat(end.sent).as("%d %s", n, end).isEqualTo(1);
      assertThat(end.evidence).as("%d %s", n, end).containsOnly("FOUND").isNotEmpty();
    } else {
      assertThat(end.sent).as("%d %s", n, end).isEqualTo(2);
      assertThat(end.evidence.getFirst()).as("%d %s", n, end).isEqualTo("ABSENT");
    }
  }

  /** From the moment at which an outcome was unknown to the first answer, in seconds. */
  private String times() {
    return stage
        .sql(
            """
            SELECT 'accepted: answered after '
                   || string_agg(to_char(median, 'FM990.0') || ' s, the last after ' || to_char(last, 'FM990.0') || ' s',
                                 '; dropped: after ' ORDER BY accepted DESC)
            FROM (
              SELECT accepted, percentile_cont(0.5) WITHIN GROUP (ORDER BY took) AS median, max(took) AS last
              FROM (
                SELECT substring(i.dimensions::json ->> 'product' FROM 6)::int % 2 = 0 AS accepted,
                       extract(epoch FROM min(e.at) FILTER (WHERE code IN ('FOUND', 'ABSENT', 'PROTECTED_RESEND'))
                                          - min(e.at) FILTER (WHERE code = 'OUTCOME_UNKNOWN')) AS took
                FROM intent i JOIN evidence e ON e.seq = i.source_offset AND e.op_key = i.op_key GROUP BY i.op_key, i.dimensions
              ) AS each GROUP BY accepted
            ) AS halves
            """)
        .getFirst();
  }
}
