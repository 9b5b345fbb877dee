package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A store that can do nothing: a test overrides what the unit under test may call. */
@SuppressWarnings("DoNotCallSuggester") // every method is meant to be overridden
public class ScriptedStore implements OperationStore {
  private static UnsupportedOperationException unscripted() {
    return new UnsupportedOperationException("this test did not expect the statement");
  }

  @Override
  public Set<OperationKey> insert(
      List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms) {
    throw unscripted();
  }

  @Override
  public Set<OperationKey> insertPossiblySent(
      List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms, Instant since) {
    throw unscripted();
  }

  @Override
  public List<KnownIntent> find(Collection<OperationKey> keys) {
    throw unscripted();
  }

  @Override
  public List<Claim> claim(int limit, UUID claim, String owner, Terms terms) {
    throw unscripted();
  }

  @Override
  public Grant claimLimited(int limit, UUID claim, String owner, Terms terms, Limits limits) {
    throw unscripted();
  }

  @Override
  public List<Claim> claimed(String provider, UUID claim) {
    throw unscripted();
  }

  @Override
  public Set<OperationKey> apply(List<Change> changes) {
    throw unscripted();
  }

  @Override
  public Set<OperationKey> effective(List<Change> changes) {
    throw unscripted();
  }

  @Override
  public Set<OperationKey> lateEvidence(Map<OperationKey, String> remoteIds) {
    throw unscripted();
  }

  @Override
  public Swept sweep(int limit, Duration lookAfter) {
    throw unscripted();
  }

  @Override
  public List<OperationKey> expire(int limit) {
    throw unscripted();
  }

  @Override
  public List<Look> look(
      Collection<OperationKey> keys, Set<String> except, UUID claim, Duration lease) {
    throw unscripted();
  }

  @Override
  public List<Look> lookDue(String provider, int limit, UUID claim, Duration lease) {
    throw unscripted();
  }

  @Override
  public Map<OperationKey, Set<String>> remoteIdsSeen(Collection<OperationKey> keys) {
    throw unscripted();
  }

  @Override
  public Map<String, OperationKey> owners(String provider, Collection<String> remoteIds) {
    throw unscripted();
  }

  @Override
  public List<OperationKey> rivals(OperationKey key, String provider) {
    throw unscripted();
  }

  @Override
  public List<Follow> follow(String provider, int limit, Duration atLeast, Duration atMost) {
    throw unscripted();
  }

  @Override
  public OutputTrouble outputTrouble(Follow follow, Set<Code> codes) {
    throw unscripted();
  }

  @Override
  public Map<OperationKey, OperationKey> twins(Collection<OperationKey> keys) {
    throw unscripted();
  }

  @Override
  public List<Waiting> waiting() {
    throw unscripted();
  }

  @Override
  public Map<String, Integer> backlog(Collection<String> providers, int bound) {
    throw unscripted();
  }

  @Override
  public Set<String> openProviders() {
    throw unscripted();
  }

  @Override
  public List<OutboxRow> outbox(int atLeast) {
    throw unscripted();
  }

  @Override
  public Map<OperationKey, Ending> endings(Collection<OutboxRow> finished) {
    throw unscripted();
  }

  @Override
  public void relayed(List<Long> ids) {
    throw unscripted();
  }

  @Override
  public boolean duty(String name, UUID holder, Duration ttl) {
    throw unscripted();
  }
}
