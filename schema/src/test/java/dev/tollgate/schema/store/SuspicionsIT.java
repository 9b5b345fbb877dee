package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Suspicions.Extra;
import dev.tollgate.schema.store.Suspicions.Fate;
import dev.tollgate.schema.store.Suspicions.Suspected;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What may have been paid twice: listed with its price, and which of it may be ended. */
final class SuspicionsIT extends StoreContract {
  private static final Duration DAY = Duration.ofDays(1);

  private static PostgresHarness harness;
  private static Suspicions suspicions;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(SuspicionsIT.class));
    suspicions = new PostgresSuspicions(harness.sql());
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  @Override
  protected StoreHarness harness() {
    return harness;
  }

  private static List<Suspected> listed() {
    return suspicions.list(null, false, 100);
  }

  private static List<Extra> extras() {
    return suspicions.extras(List.of(PROVIDER), DAY, 100);
  }

  /** Our own create was answered with another task, after the operation had got one. */
  private void answeredLate(int n, String remoteId) {
    Claim old = sending(n);
    harness.letTimePass();
    store().sweep(10, Duration.ZERO);
    apply(Fixture.found(look(n), "job-" + n));
    applyInVain(Fixture.accepted(old, remoteId));
    store().lateEvidence(Map.of(key(n), remoteId));
  }

  @Test
  void lateAnswerOfOurOwn_isListedWithItsPrice_andExtra() {
    answeredLate(1, "job-extra");
    assertThat(listed())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.key()).isEqualTo(key(1));
              assertThat(one.code()).isEqualTo("SUSPECTED_DUPLICATE");
              assertThat(one.remoteId()).isEqualTo("job-extra");
              assertThat(one.kept()).isEqualTo("job-1");
              assertThat(one.price()).isEqualTo(Fixture.PRICE);
              assertThat(one.fate()).isEqualTo(Fate.OPEN);
            });
    assertThat(extras()).containsExactly(new Extra(key(1), PROVIDER, "job-extra", "job-1"));
  }

  /** Whoever can send us an event could otherwise have any task of the account ended. */
  @Test
  void whatTheProviderReportsByItself_isListed_butNotExtra() {
    accepted(1);
    store().lateEvidence(Map.of(key(1), "job-reported"));
    assertThat(listed()).hasSize(1);
    assertThat(extras()).isEmpty();
  }

  @Test
  void taskThatCarriesOurReference_isExtra_andRecordedOnce() {
    accepted(1);
    suspicions.extra(key(1), "job-extra", "it carries the reference");
    suspicions.extra(key(1), "job-extra", "it carries the reference");
    store().lateEvidence(Map.of(key(1), "job-extra"));
    assertThat(listed()).hasSize(1);
    assertThat(extras()).hasSize(1);
    assertThat(suspicions.extras(List.of("other"), DAY, 10)).isEmpty();
    assertThat(suspicions.extras(List.of(PROVIDER), Duration.ZERO, 10)).isEmpty();
  }

  @Test
  void ofAFailedOperation_nothingIsExtra() {
    Claim old = sending(1);
    apply(Fixture.sent(old, OperationState.FAILED, Code.PROVIDER_REJECTED, null));
    suspicions.extra(key(1), "job-late", "a late success");
    assertThat(listed()).hasSize(1);
    assertThat(extras()).isEmpty();
  }

  @Test
  void taskOfAnotherOperation_isNotExtra() {
    accepted(2);
    accepted(1);
    suspicions.extra(key(1), "job-2", "it carries the reference");
    assertThat(extras()).isEmpty();
  }

  @Test
  void settled_isLeftOut_andPaid_staysListed() {
    accepted(1);
    suspicions.extra(key(1), "job-a", "it carries the reference");
    suspicions.extra(key(1), "job-b", "it carries the reference");
    assertThat(suspicions.close(key(1), "job-a", Fate.SETTLED, false, "ended")).isTrue();
    assertThat(suspicions.close(key(1), "job-b", Fate.PAID, false, "too late")).isTrue();
    assertThat(extras()).isEmpty();
    assertThat(listed())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.remoteId()).isEqualTo("job-b");
              assertThat(one.fate()).isEqualTo(Fate.PAID);
              assertThat(one.said()).isEqualTo("too late");
            });
    assertThat(suspicions.list(null, true, 100)).hasSize(2);
    assertThat(suspicions.list("other", true, 100)).isEmpty();
    suspicions.close(key(1), null, Fate.SETTLED, true, "by ada: credited");
    assertThat(listed()).isEmpty();
    assertThat(suspicions.close(key(9), null, Fate.SETTLED, true, "by ada: nothing")).isFalse();
  }

  @Test
  void equalBytes_areListed() {
    StoredOutput output = Fixture.output(1);
    apply(Fixture.complete(accepted(1), output));
    apply(Fixture.complete(accepted(2), output));
    store().twins(List.of(key(2)));
    assertThat(listed())
        .singleElement()
        .satisfies(one -> assertThat(one.code()).isEqualTo("DUPLICATE_OUTPUT"));
    assertThat(extras()).isEmpty();
  }
}
