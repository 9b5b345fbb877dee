package dev.tollgate.schema.store;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Claims where the fleet has a limit or a budget. A class of its own, so that the claim without
 * them stays as narrow as it is. Thread-safe.
 */
final class LimitedStatements {
  private static final long MICRO = 1_000_000;

  private final DSLContext db;

  LimitedStatements(DSLContext db) {
    this.db = db;
  }

  Grant claim(int limit, UUID claim, String owner, Terms terms, Limits limits) {
    Object[] asked = binds(limit, claim, owner, terms, limits);
    Answer answer = ask(asked);
    if (!answer.known) {
      // the first claim ever, or of a period
      db.execute(LimitedSql.OPEN, asked);
      answer = ask(asked);
    }
    return answer.grant();
  }

  /**
   * What the statement said.
   *
   * @param known whether there is an allowance, and a row for each budget
   * @param anything whether anything was due
   * @param allowed how many the limits let through; zero where another claim was at them
   */
  private record Answer(
      List<Claim> claims, int waiting, int refused, boolean known, boolean anything, long allowed) {
    Grant grant() {
      boolean drained = !anything || claims.size() + waiting + refused < allowed;
      return new Grant(claims, waiting, refused, known && drained);
    }
  }

  private Answer ask(Object[] asked) {
    List<Claim> claims = new ArrayList<>();
    Answer standing = new Answer(claims, 0, 0, false, false, 0);
    for (Record row : db.fetch(LimitedSql.CLAIM, asked)) {
      if (row.get(0) == null) {
        standing =
            new Answer(
                claims,
                Rows.integer(row, 10),
                Rows.integer(row, 11),
                Boolean.TRUE.equals(row.get(12)),
                Boolean.TRUE.equals(row.get(13)),
                row.get(9) == null ? 0 : Rows.bigint(row, 9));
      } else {
        claims.add(ClaimStatements.toClaim(row));
      }
    }
    return standing;
  }

  private static Object[] binds(int limit, UUID claim, String owner, Terms terms, Limits limits) {
    List<Budget> budgets = limits.budgets();
    return new Object[] {
      DSL.val(terms.provider()),
      DSL.val((long) limit),
      optional(limits.perMinute().isPresent() ? limits.perMinute().getAsLong() : null),
      DSL.val(limits.burst() * MICRO),
      DSL.val(limits.fillMicros()),
      optional(limits.tasksMax().isPresent() ? (long) limits.tasksMax().getAsInt() : null),
      DSL.val(claim),
      DSL.val(owner),
      DSL.val(terms.lease().toMillis()),
      DSL.val(terms.sendWithin().toMillis()),
      DSL.val(terms.absentAfter().toMillis()),
      DSL.val(terms.promise().toMillis()),
      DSL.val(terms.carries()),
      DSL.val(terms.sendsTo()),
      PgArray.text(budgets, Budget::scopeWord),
      PgArray.text(budgets, Budget::who),
      PgArray.text(budgets, Budget::perWord),
      PgArray.bigint(budgets, Budget::micros),
      PgArray.bool(budgets, Budget::refuse)
    };
  }

  private static Field<Long> optional(@Nullable Long value) {
    return DSL.val(value, SQLDataType.BIGINT);
  }
}
