package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.LEASE;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.TERMS;
import static dev.tollgate.schema.store.Fixture.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The part that all themes of the store's contract share: steps that bring an operation somewhere,
 * and the check after each case that nothing is forgotten.
 */
public abstract class StoreContract {
  protected abstract StoreHarness harness();

  @BeforeEach
  void forgetEverything() {
    harness().reset();
  }

  @AfterEach
  void nothingIsForgotten() {
    assertThat(harness().broken()).isEmpty();
  }

  final OperationStore store() {
    return harness().store();
  }

  final StoredOperation get(int n) {
    return harness().get(key(n));
  }

  /** Stores intents 0 to n - 1 as prepared. */
  final void insertPrepared(int n) {
    assertThat(store().insert(Fixture.intents(n), Fixture.claimId(), OWNER, ALL_TERMS)).hasSize(n);
  }

  /** Stores an intent for the other provider as prepared. */
  final void insertForOtherProvider(int n) {
    List<NewIntent> one = List.of(Fixture.intent(n, Fixture.OTHER_PROVIDER, "params", false, null));
    assertThat(store().insert(one, Fixture.claimId(), OWNER, ALL_TERMS)).hasSize(1);
  }

  /** An operation in {@code sending} under the claim that is returned. */
  final Claim sending(int n) {
    UUID claim = Fixture.claimId();
    store().insert(List.of(Fixture.sendNow(n)), claim, OWNER, ALL_TERMS);
    return store().claimed(PROVIDER, claim).getFirst();
  }

  /** An operation in {@code unknown} that nobody looks at. */
  final Claim unknown(int n) {
    Claim claim = sending(n);
    apply(Fixture.unknown(claim));
    return claim;
  }

  /** An operation in {@code unknown}, held for the look that is returned. */
  final Look looking(int n) {
    unknown(n);
    return look(n);
  }

  final Look look(int n) {
    return store().look(List.of(key(n)), Set.of(), Fixture.claimId(), LEASE).getFirst();
  }

  /** An operation in {@code accepted} with remote id {@code job-n}. */
  final Follow accepted(int n) {
    Claim claim = sending(n);
    apply(Fixture.accepted(claim, "job-" + n));
    return new Follow(
        claim.key(),
        PROVIDER,
        claim.fence(),
        claim.claim(),
        "job-" + n,
        claim.seq(),
        Fixture.SENDS_TO);
  }

  /** An operation in {@code prepared} that was sent before, for this reason. */
  final void preparedAgain(int n, Code reason) {
    switch (reason) {
      case ABSENT, PROTECTED_RESEND ->
          apply(Fixture.looked(looking(n), OperationState.PREPARED, reason, null));
      default -> apply(Fixture.sent(sending(n), OperationState.PREPARED, reason, null));
    }
  }

  /** Claims the one operation that is due. */
  final Claim claimOne() {
    List<Claim> claims = store().claim(10, Fixture.claimId(), OWNER, TERMS);
    assertThat(claims).hasSize(1);
    return claims.getFirst();
  }

  /** Applies a change that must take place. */
  final void apply(Change change) {
    assertThat(store().apply(List.of(change))).containsExactly(change.key());
  }

  /** Applies a change that must not take place. */
  final void applyInVain(Change change) {
    assertThat(store().apply(List.of(change))).isEmpty();
  }

  final Set<OperationState> effectiveStates(Change... changes) {
    return store().effective(List.of(changes)).stream()
        .map(k -> harness().get(k).state())
        .collect(Collectors.toSet());
  }

  /** What the outbox holds for an operation: target and state, oldest first. */
  final List<String> told(int n) {
    return store().outbox(1000).stream()
        .filter(row -> row.key().equals(key(n)))
        .map(row -> (row.reconcile() ? "reconcile " : "events ") + row.state().word())
        .toList();
  }

  final void assertDueIn(StoredOperation operation, Duration expected) {
    StoredOperation.Wake wake = operation.wake();
    assertThat(wake).isNotNull();
    assertThat(wake == null ? Duration.ZERO : wake.in())
        .isBetween(expected.minusSeconds(15), expected.plusMillis(1));
  }

  final Map<String, dev.tollgate.schema.key.OperationKey> owners(String... remoteIds) {
    return store().owners(PROVIDER, List.of(remoteIds));
  }
}
