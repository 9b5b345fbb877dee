package dev.tollgate.schema.store;

import java.sql.Date;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;

/**
 * Reads for people how budgets stand; locks and changes nothing. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}.
 */
public final class BudgetReader {
  private static final String STANDING =
      """
      SELECT a.period, coalesce(b.booked - (SELECT coalesce(sum(r.micros), 0) FROM refund r WHERE r.budget = b.id), 0)::int8
      FROM (
        SELECT n, scope, who, per, date_trunc(per, now() AT TIME ZONE 'UTC')::date AS period
        FROM unnest(?::text[], ?::text[], ?::text[]) WITH ORDINALITY AS u(scope, who, per, n)
      ) AS a
      LEFT JOIN budget b ON b.scope = a.scope AND b.who = a.who AND b.per = a.per AND b.period = a.period
      ORDER BY a.n
      """;

  private final DSLContext db;

  /**
   * @param db made by {@link Database#forReading}
   */
  public BudgetReader(DSLContext db) {
    this.db = db;
  }

  /** How each of these stands now, in their order. */
  public List<BudgetStanding> standing(List<Budget> budgets) {
    try {
      List<Record> rows =
          List.copyOf(
              db.fetch(
                  STANDING,
                  PgArray.text(budgets, Budget::scopeWord),
                  PgArray.text(budgets, Budget::who),
                  PgArray.text(budgets, Budget::perWord)));
      List<BudgetStanding> standings = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) {
        Date period = (Date) Objects.requireNonNull(rows.get(i).get(0));
        standings.add(
            new BudgetStanding(budgets.get(i), period.toLocalDate(), Rows.bigint(rows.get(i), 1)));
      }
      return standings;
    } catch (DataAccessException e) {
      throw SqlErrors.translate("reading budgets", e);
    }
  }
}
