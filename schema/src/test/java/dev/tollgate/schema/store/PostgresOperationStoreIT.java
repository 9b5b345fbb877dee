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
