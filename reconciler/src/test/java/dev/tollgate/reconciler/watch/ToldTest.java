package dev.tollgate.reconciler.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.RequestHash;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Ending;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.worker.metrics.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ToldTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Told told = new Told(new Meters(registry));

  private void tell(
      OperationState state,
      @Nullable Code reason,
      @Nullable String remoteId,
      @Nullable Long price) {
    RequestHash hash = new RequestHash(Sha256.of(new byte[1]));
    told.told(
        new OutboxRow(1, Fixture.key(1), false, state, 2, 1, "keyed", reason, remoteId, AT),
        new Ending(hash, null, price, null, null, AT.minusSeconds(90)));
  }

  @Test
  void complete_isSpent_andTookItsTime() {
    tell(OperationState.COMPLETE, null, "job-1", 350_000L);
    tell(OperationState.COMPLETE, null, "job-2", 150_000L);
    var spent = registry.get("tollgate.money.spent").tag("state", "complete").summary();
    assertThat(spent.totalAmount()).isCloseTo(0.5, within(1e-9));
    assertThat(spent.count()).isEqualTo(2);
    assertThat(registry.get("tollgate.operations.took").timer().max(TimeUnit.SECONDS))
        .isEqualTo(90);
    assertThat(registry.find("tollgate.money.saved").counter()).isNull();
  }

  @Test
  void failed_isSpent_onlyWhereTheProviderHadTakenIt() {
    tell(OperationState.FAILED, Code.PROVIDER_REJECTED, null, 350_000L);
    assertThat(registry.find("tollgate.money.spent").summary()).isNull();
    tell(OperationState.FAILED, Code.PROVIDER_REJECTED, "job-1", 350_000L);
    assertThat(registry.get("tollgate.money.spent").tag("state", "failed").summary().count())
        .isEqualTo(1);
  }

  @Test
  void found_isSaved_andNotSpentBeforeItsEnd() {
    tell(OperationState.ACCEPTED, Code.FOUND, "job-1", 350_000L);
    assertThat(registry.get("tollgate.money.saved").tag("why", "found").counter().count())
        .isCloseTo(0.35, within(1e-9));
    assertThat(registry.find("tollgate.money.spent").summary()).isNull();
    assertThat(registry.find("tollgate.operations.took").timer()).isNull();
  }

  @Test
  void withoutAPrice_theyAreCounted_andNoMoneyIs() {
    tell(OperationState.COMPLETE, null, "job-1", null);
    tell(OperationState.ACCEPTED, Code.FOUND, "job-2", null);
    assertThat(registry.get("tollgate.money.unpriced").tag("of", "spent").counter().count())
        .isEqualTo(1);
    assertThat(registry.get("tollgate.money.unpriced").tag("of", "saved").counter().count())
        .isEqualTo(1);
    assertThat(registry.find("tollgate.money.spent").summary()).isNull();
  }
}
