package dev.tollgate.schema.store;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The store on PostgreSQL against the whole contract, in one database. */
final class PostgresOperationStoreIT {
  private static PostgresHarness harness;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(PostgresOperationStoreIT.class));
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  @Nested
  final class Inserting extends InsertContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }
  }

  @Nested
  final class Claiming extends ClaimContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }
  }

  @Nested
  final class ClaimingUnderLimits extends LimitContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }

    @Override
    protected void fillEarlier(Duration by) {
      harness
          .sql()
          .execute(
              "UPDATE allowance SET filled_at = filled_at - ? * interval '1 ms'", by.toMillis());
    }
  }

  @Nested
  final class Spending extends BudgetContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }

    @Override
    protected long booked(String who) {
      return harness
          .sql()
          .fetchSingle(
              """
              SELECT coalesce(sum(b.booked - (SELECT coalesce(sum(micros), 0) FROM refund WHERE budget = b.id)), 0)
              FROM budget b
              WHERE b.who = ? AND b.period = date_trunc(b.per, now() AT TIME ZONE 'UTC')::date
              """,
              who)
          .get(0, Long.class);
    }

    @Override
    protected void nextPeriod() {
      harness.sql().execute("UPDATE budget SET period = period - ('1 ' || per)::interval");
    }

    @Override
    protected void expireNow(int n) {
      harness
          .sql()
          .execute(
              "UPDATE wake SET deadline = now() WHERE op_key = ?", (Object) Fixture.key(n).bytes());
    }
  }

  @Nested
  final class Applying extends ApplyContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }
  }

  @Nested
  final class LosingTheRace extends StaleChangeContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }
  }

  @Nested
  final class HearingLate extends LateEvidenceContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }
  }

  @Nested
  final class Recovering extends RecoveryContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }
  }

  @Nested
  final class Looking extends LookContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }
  }

  @Nested
  final class Outputs extends OutputContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }
  }

  @Nested
  final class Following extends FollowContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }
  }

  @Nested
  final class Relaying extends RelayContract {
    @Override
    protected StoreHarness harness() {
      return harness;
    }
  }
}
