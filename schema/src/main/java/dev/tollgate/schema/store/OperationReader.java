package dev.tollgate.schema.store;

import static dev.tollgate.schema.generated.Tables.ATTEMPTS;
import static dev.tollgate.schema.generated.Tables.EVIDENCE;
import static dev.tollgate.schema.generated.Tables.INTENT;
import static dev.tollgate.schema.generated.Tables.LEASE;
import static dev.tollgate.schema.generated.Tables.OPERATION;
import static dev.tollgate.schema.generated.Tables.OUTPUT;
import static dev.tollgate.schema.generated.Tables.WAKE;
import static dev.tollgate.schema.store.SqlErrors.run;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.generated.enums.WakeRole;
import dev.tollgate.schema.key.Dimensions;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.state.OperationState;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SelectJoinStep;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Reads operations for people: lists, one with all its evidence, counts. Lists and counts may read
 * a whole table and are ended by the session's statement timeout; nothing here locks or changes
 * anything. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}.
 */
public final class OperationReader {
  /** Most pieces of evidence that are shown of one operation. */
  public static final int EVIDENCE_MAX = 500;

  private static final int ATTEMPTS_MAX = 500;

  private final DSLContext db;

  /**
   * @param db made by {@link Database#forReading}
   */
  public OperationReader(DSLContext db) {
    this.db = db;
  }

  /** Operations that the filter takes, newest change first. */
  public List<OperationSummary> list(OperationFilter filter) {
    return run(
        "listing operations",
        () ->
            summaries()
                .where(conditions(filter))
                .orderBy(OPERATION.CHANGED_AT.desc(), OPERATION.OP_KEY.desc())
                .limit(filter.limit())
                .fetch(OperationReader::toSummary));
  }

  /** All that is known of an operation; empty for a key that is not stored, or of a tombstone. */
  public Optional<OperationDetails> show(OperationKey key) {
    return run("reading operation " + key, () -> details(key));
  }

  /** What is left of an operation that ended long ago; empty for one that is not forgotten. */
  public Optional<Tombstone> tombstone(OperationKey key) {
    return Optional.ofNullable(new PostgresTombstones(db).read(Set.of(key)).get(key));
  }

  /**
   * Keys whose hash begins with these digits, in order.
   *
   * @param digits lower case hexadecimal, at most 64
   * @param limit most keys that are returned
   */
  public List<OperationKey> startingWith(String digits, int limit) {
    int missing = 2 * Sha256.LENGTH - digits.length();
    byte[] from = HexFormat.of().parseHex(digits + "0".repeat(missing));
    // beyond every kind that follows the last hash
    byte[] to = HexFormat.of().parseHex(digits + "f".repeat(missing) + "ff");
    return run(
        "looking for operation " + digits,
        () ->
            db.select(INTENT.OP_KEY)
                .from(INTENT)
                .where(INTENT.OP_KEY.ge(from).and(INTENT.OP_KEY.lt(to)))
                .orderBy(INTENT.OP_KEY)
                .limit(limit)
                .fetch(row -> OperationKey.fromBytes(row.value1())));
  }

  /** How many operations there are, by state and by what a person has to decide. */
  public OperationCounts counts() {
    return run("counting operations", this::count);
  }

  private SelectJoinStep<? extends Record> summaries() {
    return db.select(OPERATION.asterisk(), INTENT.PROVIDER, INTENT.CREATED_AT, WAKE.ROLE, WAKE.AT)
        .from(OPERATION)
        .join(INTENT)
        .on(INTENT.SOURCE_OFFSET.eq(OPERATION.SEQ), INTENT.OP_KEY.eq(OPERATION.OP_KEY))
        .leftJoin(WAKE)
        .on(WAKE.SEQ.eq(OPERATION.SEQ), WAKE.OP_KEY.eq(OPERATION.OP_KEY));
  }

  private static List<Condition> conditions(OperationFilter filter) {
    List<Condition> conditions = new ArrayList<>();
    if (!filter.states().isEmpty()) {
      conditions.add(OPERATION.STATE.in(stored(filter.states())));
      // these let the server begin with what is open
      if (filter.states().equals(Set.of(OperationState.SENDING))) {
        conditions.add(
            OPERATION.SEQ.in(
                DSL.select(DSL.field("unnest({0})", Long.class, LEASE.SEQS)).from(LEASE)));
      } else if (filter.states().stream()
          .noneMatch(s -> s.terminal() || s == OperationState.SENDING)) {
        conditions.add(WAKE.OP_KEY.isNotNull());
      }
    }
    String provider = filter.provider();
    if (provider != null) {
      conditions.add(INTENT.PROVIDER.eq(provider));
    }
    if (filter.reviewOnly()) {
      conditions.add(WAKE.ROLE.eq(WakeRole.person));
    }
    OperationFilter.Cursor after = filter.after();
    if (after != null) {
      conditions.add(
          DSL.row(OPERATION.CHANGED_AT, OPERATION.OP_KEY)
              .lt(after.changedAt().atOffset(ZoneOffset.UTC), after.key().bytes()));
    }
    return conditions;
  }

  private static List<dev.tollgate.schema.generated.enums.OperationState> stored(
      Collection<OperationState> states) {
    return states.stream().map(OperationReader::stored).toList();
  }

  private static dev.tollgate.schema.generated.enums.OperationState stored(OperationState state) {
    return dev.tollgate.schema.generated.enums.OperationState.lookupLiteral(state.word());
  }

  private static OperationSummary toSummary(Record row) {
    return new OperationSummary(
        OperationKey.fromBytes(row.get(OPERATION.OP_KEY)),
        row.get(INTENT.PROVIDER),
        OperationState.of(row.get(OPERATION.STATE).getLiteral()),
        code(row.get(OPERATION.REASON)),
        code(row.get(OPERATION.REVIEW)),
        row.get(OPERATION.REMOTE_ID),
        row.get(OPERATION.FENCE),
        row.get(OPERATION.CLAIM),
        row.get(OPERATION.ATTEMPTS),
        row.get(OPERATION.LOOKS),
        row.get(OPERATION.VERSION),
        row.get(INTENT.CREATED_AT).toInstant(),
        row.get(OPERATION.CHANGED_AT).toInstant(),
        instant(row.get(OPERATION.LEASE_UNTIL)),
        next(row));
  }

  private static OperationSummary.@Nullable Next next(Record row) {
    WakeRole role = row.get(WAKE.ROLE);
    if (role != null) {
      return new OperationSummary.Next(role.getLiteral(), row.get(WAKE.AT).toInstant());
    }
    Instant leaseUntil = instant(row.get(OPERATION.LEASE_UNTIL));
    boolean sending = row.get(OPERATION.STATE) == stored(OperationState.SENDING);
    return sending && leaseUntil != null ? new OperationSummary.Next("sweep", leaseUntil) : null;
  }

  private Optional<OperationDetails> details(OperationKey key) {
    byte[] bytes = key.bytes();
    Record found = summaries().where(INTENT.OP_KEY.eq(bytes), INTENT.ENDED_AT.isNull()).fetchOne();
    if (found == null) {
      return Optional.empty();
    }
    Condition evidenceOfIt =
        EVIDENCE.SEQ.eq(found.get(OPERATION.SEQ)).and(EVIDENCE.OP_KEY.eq(bytes));
    OperationDetails.Intent intent = intent(bytes);
    Record output = db.selectFrom(OUTPUT).where(OUTPUT.OP_KEY.eq(bytes)).fetchOne();
    return Optional.of(
        new OperationDetails(
            toSummary(found),
            intent,
            attempts(found.get(OPERATION.SEQ), bytes),
            evidence(evidenceOfIt),
            db.fetchCount(EVIDENCE, evidenceOfIt),
            output == null
                ? null
                : new StoredOutput(
                    output.get(OUTPUT.ADDRESS),
                    output.get(OUTPUT.SHA256),
                    output.get(OUTPUT.LENGTH),
                    output.get(OUTPUT.CONTENT_TYPE)),
            output == null ? null : output.get(OUTPUT.STORED_AT).toInstant(),
            GenerationReader.dimensions(intent.dimensions())
                .map(new GenerationReader(db)::around)
                .orElse(List.of())));
  }

  private OperationDetails.Intent intent(byte[] key) {
    Record row = db.selectFrom(INTENT).where(INTENT.OP_KEY.eq(key)).fetchSingle();
    return new OperationDetails.Intent(
        row.get(INTENT.REQUEST_HASH),
        row.get(INTENT.SUBMISSION_KEY),
        instant(row.get(INTENT.DEADLINE)),
        row.get(INTENT.PRODUCTION_TASK),
        row.get(INTENT.DIMENSIONS),
        row.get(INTENT.PARAMS),
        row.get(INTENT.SOURCE_PARTITION),
        row.get(INTENT.SOURCE_OFFSET),
        row.get(INTENT.PRODUCER),
        row.get(INTENT.PRICE),
        GenerationReader.dimensions(row.get(INTENT.DIMENSIONS))
            .map(Dimensions::generation)
            .orElse(1),
        retry(row));
  }

  private static @Nullable Retry retry(Record row) {
    byte[] of = row.get(INTENT.RETRY_OF);
    return of == null
        ? null
        : new Retry(
            OperationKey.fromBytes(of), row.get(INTENT.RETRY_BY), row.get(INTENT.RETRY_WHY));
  }

  private List<OperationDetails.Attempt> attempts(long seq, byte[] key) {
    return db.selectFrom(ATTEMPTS)
        .where(ATTEMPTS.SEQ.eq(seq), ATTEMPTS.OP_KEY.eq(key))
        .orderBy(ATTEMPTS.FENCE)
        .limit(ATTEMPTS_MAX)
        .fetch(
            row ->
                new OperationDetails.Attempt(
                    row.get(ATTEMPTS.FENCE),
                    row.get(ATTEMPTS.CLAIM),
                    row.get(ATTEMPTS.OWNER),
                    row.get(ATTEMPTS.BEGAN_AT).toInstant(),
                    row.get(ATTEMPTS.SEND_DEADLINE).toInstant(),
                    row.get(ATTEMPTS.ABSENT_AFTER).toInstant(),
                    row.get(ATTEMPTS.CARRIED)));
  }

  private List<OperationDetails.Seen> evidence(Condition ofOperation) {
    return db.selectFrom(EVIDENCE)
        .where(ofOperation)
        .orderBy(EVIDENCE.AT.desc(), EVIDENCE.ID.desc())
        .limit(EVIDENCE_MAX)
        .fetch(OperationReader::toSeen)
        .reversed();
  }

  private static OperationDetails.Seen toSeen(Record row) {
    Short status = row.get(EVIDENCE.STATUS);
    return new OperationDetails.Seen(
        row.get(EVIDENCE.AT).toInstant(),
        row.get(EVIDENCE.FENCE),
        row.get(EVIDENCE.SOURCE),
        Code.valueOf(row.get(EVIDENCE.CODE)),
        status == null ? null : status.intValue(),
        row.get(EVIDENCE.REMOTE_ID),
        row.get(EVIDENCE.NOTE),
        row.get(EVIDENCE.HEADERS),
        row.get(EVIDENCE.BODY),
        row.get(EVIDENCE.TRUNCATED));
  }

  private OperationCounts count() {
    Map<OperationState, Long> byState = new EnumMap<>(OperationState.class);
    for (OperationState state : OperationState.values()) {
      byState.put(state, 0L);
    }
    Map<Code, Long> byReview = new EnumMap<>(Code.class);
    db.select(OPERATION.STATE, OPERATION.REVIEW, DSL.count())
        .from(OPERATION)
        .groupBy(OPERATION.STATE, OPERATION.REVIEW)
        .forEach(
            row -> {
              long number = row.value3();
              byState.merge(OperationState.of(row.value1().getLiteral()), number, Long::sum);
              Code review = code(row.value2());
              if (review != null) {
                byReview.merge(review, number, Long::sum);
              }
            });
    return new OperationCounts(byState, byReview);
  }

  private static @Nullable Code code(@Nullable String name) {
    return name == null ? null : Code.valueOf(name);
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime at) {
    return at == null ? null : at.toInstant();
  }
}
