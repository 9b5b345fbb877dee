package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Statements of intake: storing intents and telling known ones. Thread-safe. */
final class IntakeStatements {
  private static final List<String> COLUMNS =
      List.of(
          "op_key bytea",
          "provider text",
          "request_hash bytea",
          "submission_key bytea",
          "send_now bool",
          "deadline_ms int8",
          "production_task text",
          "dimensions text",
          "params bytea",
          "source_partition int4",
          "source_offset int8",
          "producer text",
          "price int8");

  private static final String INTENTS = Input.of(COLUMNS.toArray(String[]::new));

  private static final String INTENTS_WITH_RETRIES =
      Input.of(
          Stream.concat(
                  COLUMNS.stream(), Stream.of("retry_of bytea", "retry_by text", "retry_why text"))
              .toArray(String[]::new));

  /*
   * `intent` is inserted first and alone decides what is new; the other rows follow from what it returns. Expected plan:
   * the arrays unnested, insert; nested loops over the few terms.
   */
  private static final String INSERT =
      """
      WITH input AS (
        SELECT * FROM %1$s AS i
      ), terms AS (
        SELECT * FROM unnest(?::text[], ?::int8[], ?::int8[], ?::int8[], ?::int4[], ?::int8[])
          AS t(provider, send_within_ms, lease_ms, absent_after_ms, carries, sends_to)
      ), stored AS (
        INSERT INTO intent (op_key, provider, request_hash, submission_key, deadline, created_at, source_partition,
                            source_offset, production_task, dimensions, params, producer, price, by_reference,%3$s
                            first_claim, first_owner, first_send_deadline, first_absent_after, first_carried, first_sent_to)
        SELECT op_key, i.provider, request_hash, submission_key,
               timestamptz 'epoch' + deadline_ms * interval '1 millisecond', %5$s, source_partition,
               source_offset, production_task, dimensions, params, producer, price,
               CASE WHEN t.carries & %4$d <> 0 THEN true END,%3$s
               CASE WHEN send_now THEN ?::uuid END, CASE WHEN send_now THEN ?::text END,
               CASE WHEN send_now THEN now() + t.send_within_ms * interval '1 millisecond' END,
               CASE WHEN send_now THEN now() + (t.send_within_ms + t.absent_after_ms) * interval '1 millisecond' END,
               CASE WHEN send_now THEN t.carries END, CASE WHEN send_now THEN t.sends_to END
        FROM input i JOIN terms t ON t.provider = i.provider
        ORDER BY op_key -- the order of locks, whichever side the join begins with
        %2$s
        RETURNING source_offset AS seq, op_key, provider, first_claim, deadline
      ), operations AS (
        INSERT INTO operation (seq, op_key, claim, lease_until, changed_at, fence, version, attempts, looks, state)
        SELECT s.seq, s.op_key, s.first_claim,
               CASE WHEN s.first_claim IS NOT NULL THEN now() + t.lease_ms * interval '1 millisecond' END,
               now(), CASE WHEN s.first_claim IS NULL THEN 0 ELSE 1 END, %6$d,
               CASE WHEN s.first_claim IS NULL THEN 0 ELSE 1 END, 0,
               CASE WHEN s.first_claim IS NULL THEN 'prepared' ELSE 'sending' END::operation_state
        FROM stored s JOIN terms t ON t.provider = s.provider
      ), leases AS (
        INSERT INTO lease (claim, provider, until, open, seqs, op_keys)
        SELECT s.first_claim, s.provider, now() + t.lease_ms * interval '1 millisecond', count(*), array_agg(s.seq),
               array_agg(s.op_key)
        FROM stored s JOIN terms t ON t.provider = s.provider
        WHERE s.first_claim IS NOT NULL
        GROUP BY s.first_claim, s.provider, t.lease_ms
      ), wakes AS (
        INSERT INTO wake (seq, op_key, at, role, provider, deadline)
        SELECT seq, op_key, now(), 'claim', provider, deadline FROM stored WHERE first_claim IS NULL
      )%7$s
      SELECT op_key FROM stored
      """;

  /* One known key refuses the whole batch. */
  private static final String ALL_NEW = insert(INTENTS, "", "");

  /* Passes over known keys, at the price of a second probe and a second log record for each row. */
  private static final String NEW_ONES = insert(INTENTS, "ON CONFLICT (op_key) DO NOTHING", "");

  /* For batches that hold a next generation, so that all others carry nothing for it. */
  private static final String WITH_RETRIES =
      insert(
          INTENTS_WITH_RETRIES,
          "ON CONFLICT (op_key) DO NOTHING",
          " retry_of, retry_by, retry_why,");

  /* What was not known although it had been durable: see Histories, as for the versions. */
  private static final String POSSIBLY_SENT =
      INSERT.formatted(
          INTENTS_WITH_RETRIES,
          "ON CONFLICT (op_key) DO NOTHING",
          " retry_of, retry_by, retry_why,",
          Terms.EVENT_REFERENCE,
          "least(now(), timestamptz 'epoch' + ? * interval '1 millisecond')",
          1001,
          """
          , seen AS (
            INSERT INTO evidence (seq, op_key, id, at, fence, source, code, truncated, note)
            SELECT seq, op_key, (random() * 9e18)::int8, now(), 1, 'history', 'HISTORY_LOST', false,
                   'commits of the database are missing: it was stored before, and may have been sent'
            FROM stored
          )""");

  private static final String INTENT_CONSTRAINT = "intent_pkey";

  /** For how many batches known keys are expected after one was met. */
  private static final int WARY = 50;

  private static final String FIND =
      """
      SELECT i.op_key, i.request_hash, coalesce(o.state, i.ended_state)::text, coalesce(o.fence, 0), o.claim, i.production_task
      FROM unnest(?::bytea[]) AS k(op_key)
      JOIN intent i ON i.op_key = k.op_key
      LEFT JOIN operation o ON o.seq = i.source_offset AND o.op_key = i.op_key
      """;

  private final DSLContext db;

  /**
   * Batches for which known keys are still expected. The gate drops most repeats before they come
   * here, so a batch without any is the rule.
   */
  private final AtomicInteger wary = new AtomicInteger();

  IntakeStatements(DSLContext db) {
    this.db = db;
  }

  Set<OperationKey> insert(
      List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms) {
    // one order for all workers, so that two of them cannot wait for each other's keys
    List<NewIntent> sorted = intents.stream().sorted((a, b) -> a.key().compareTo(b.key())).toList();
    Set<OperationKey> keys = insertNew(sorted, claim, owner, terms);
    if (keys.isEmpty()) {
      // nothing was written, so nothing waited: what is known may not be replicated yet
      db.fetch(Rows.AWAIT_REPLICATION);
    }
    return keys;
  }

  private Set<OperationKey> insertNew(
      List<NewIntent> sorted, UUID claim, String owner, Collection<Terms> terms) {
    if (sorted.stream().anyMatch(intent -> intent.retry() != null)) {
      return insert(WITH_RETRIES, sorted, claim, owner, terms);
    }
    if (wary.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      return insert(NEW_ONES, sorted, claim, owner, terms);
    }
    try {
      return insert(ALL_NEW, sorted, claim, owner, terms);
    } catch (DataAccessException e) {
      if (!SqlErrors.violates(INTENT_CONSTRAINT, e)) {
        throw e;
      }
      wary.set(WARY);
      return insert(NEW_ONES, sorted, claim, owner, terms);
    }
  }

  private Set<OperationKey> insert(
      String statement, List<NewIntent> sorted, UUID claim, String owner, Collection<Terms> terms) {
    List<Field<?>> values = new ArrayList<>(columns(sorted));
    if (statement.equals(WITH_RETRIES)) {
      values.addAll(retryColumns(sorted));
    }
    values.addAll(terms(terms, t -> t.lease().toMillis()));
    values.addAll(List.of(DSL.val(claim), DSL.val(owner)));
    return keys(statement, values);
  }

  /**
   * Stores what may have been sent, each with the attempt that may have been made.
   *
   * @param since the earliest moment of that attempt
   */
  Set<OperationKey> insertPossiblySent(
      List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms, Instant since) {
    List<NewIntent> sorted = intents.stream().sorted((a, b) -> a.key().compareTo(b.key())).toList();
    List<Field<?>> values = new ArrayList<>(columns(sorted));
    values.addAll(retryColumns(sorted));
    values.addAll(terms(terms, _ -> 0L)); // nobody holds it: the sweep takes it up at once
    values.add(DSL.val(since.toEpochMilli()));
    values.addAll(List.of(DSL.val(claim), DSL.val(owner)));
    return keys(POSSIBLY_SENT, values);
  }

  private static String insert(String intents, String onConflict, String retries) {
    return INSERT.formatted(intents, onConflict, retries, Terms.EVENT_REFERENCE, "now()", 1, "");
  }

  private static List<Field<?>> terms(
      Collection<Terms> terms, Function<Terms, @Nullable Long> leaseMillis) {
    return List.of(
        PgArray.text(terms, Terms::provider),
        PgArray.bigint(terms, t -> t.sendWithin().toMillis()),
        PgArray.bigint(terms, leaseMillis),
        PgArray.bigint(terms, t -> t.absentAfter().toMillis()),
        PgArray.integer(terms, Terms::carries),
        PgArray.bigint(terms, Terms::sendsTo));
  }

  private Set<OperationKey> keys(String statement, List<Field<?>> values) {
    var stored = db.resultQuery(statement, values.toArray()).fetch();
    Set<OperationKey> keys = HashSet.newHashSet(stored.size());
    stored.forEach(row -> keys.add(Rows.key(row, 0)));
    return keys;
  }

  private static List<Field<?>> columns(List<NewIntent> sorted) {
    return List.of(
        PgArray.bytea(sorted, i -> i.key().bytes()),
        PgArray.text(sorted, NewIntent::provider),
        PgArray.bytea(sorted, NewIntent::requestHash),
        PgArray.bytea(sorted, NewIntent::submissionKey),
        PgArray.bool(sorted, NewIntent::sendNow),
        PgArray.bigint(sorted, IntakeStatements::deadlineMillis),
        PgArray.text(sorted, NewIntent::productionTask),
        PgArray.text(sorted, NewIntent::dimensions),
        PgArray.bytea(sorted, NewIntent::params),
        PgArray.integer(sorted, NewIntent::sourcePartition),
        PgArray.bigint(sorted, NewIntent::sourceOffset),
        PgArray.text(sorted, NewIntent::producer),
        PgArray.bigint(sorted, NewIntent::price));
  }

  private static List<Field<?>> retryColumns(List<NewIntent> sorted) {
    return List.of(
        PgArray.bytea(sorted, i -> i.retry() == null ? null : i.retry().of().bytes()),
        PgArray.text(sorted, i -> i.retry() == null ? null : i.retry().by()),
        PgArray.text(sorted, i -> i.retry() == null ? null : i.retry().why()));
  }

  private static @Nullable Long deadlineMillis(NewIntent intent) {
    Instant deadline = intent.deadline();
    return deadline == null ? null : deadline.toEpochMilli();
  }

  List<KnownIntent> find(Collection<OperationKey> keys) {
    return db.resultQuery(FIND, PgArray.bytea(keys, OperationKey::bytes))
        .fetch(
            row ->
                new KnownIntent(
                    Rows.key(row, 0),
                    Rows.bytes(row, 1),
                    OperationState.of(Rows.text(row, 2)),
                    Rows.integer(row, 3),
                    (UUID) row.get(4),
                    (String) row.get(5)));
  }
}
