package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.SqlErrors.run;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;

/** The store on PostgreSQL. Thread-safe. */
public final class PostgresOperationStore implements OperationStore {
  private final IntakeStatements intake;
  private final ClaimStatements claims;
  private final LimitedStatements limited;
  private final ChangeStatements changes;
  private final LookStatements looks;
  private final OutputStatements outputs;
  private final OutboxStatements outbox;

  /**
   * @param db statements run on it one by one, each a transaction of its own; made by {@link
   *     Database#dsl()}
   */
  public PostgresOperationStore(DSLContext db) {
    this.intake = new IntakeStatements(db);
    this.claims = new ClaimStatements(db);
    this.limited = new LimitedStatements(db);
    this.changes = new ChangeStatements(db);
    this.looks = new LookStatements(db);
    this.outputs = new OutputStatements(db);
    this.outbox = new OutboxStatements(db);
  }

  @Override
  public Set<OperationKey> insert(
      List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms) {
    if (intents.isEmpty()) {
      return Set.of();
    }
    requireDistinct(intents.stream().map(NewIntent::key).toList());
    requireTerms(intents, terms);
    return run("storing intents", () -> intake.insert(intents, claim, owner, terms));
  }

  @Override
  public Set<OperationKey> insertPossiblySent(
      List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms, Instant since) {
    if (intents.isEmpty()) {
      return Set.of();
    }
    requireDistinct(intents.stream().map(NewIntent::key).toList());
    requireTerms(intents, terms);
    if (!intents.stream().allMatch(NewIntent::sendNow)) {
      throw new IllegalArgumentException("what may have been sent has an attempt");
    }
    return run(
        "storing intents that may have been sent",
        () -> intake.insertPossiblySent(intents, claim, owner, terms, since));
  }

  @Override
  public List<KnownIntent> find(Collection<OperationKey> keys) {
    return keys.isEmpty() ? List.of() : run("reading intents", () -> intake.find(keys));
  }

  @Override
  public List<Claim> claim(int limit, UUID claim, String owner, Terms terms) {
    return limit <= 0
        ? List.of()
        : run("claiming operations", () -> claims.claim(limit, claim, owner, terms));
  }

  @Override
  public Grant claimLimited(int limit, UUID claim, String owner, Terms terms, Limits limits) {
    return limit <= 0
        ? new Grant(List.of(), 0, 0, false)
        : run(
            "claiming operations under limits",
            () -> limited.claim(limit, claim, owner, terms, limits));
  }

  @Override
  public List<Claim> claimed(String provider, UUID claim) {
    return run("re-reading claims", () -> claims.claimed(provider, claim));
  }

  @Override
  public Set<OperationKey> apply(List<Change> list) {
    return list.isEmpty() ? Set.of() : run("applying changes", () -> changes.apply(list));
  }

  @Override
  public Set<OperationKey> effective(List<Change> list) {
    return list.isEmpty() ? Set.of() : run("re-reading changes", () -> changes.effective(list));
  }

  @Override
  public Set<OperationKey> lateEvidence(Map<OperationKey, String> remoteIds) {
    return remoteIds.isEmpty()
        ? Set.of()
        : run("recording late evidence", () -> changes.late(remoteIds));
  }

  @Override
  public Swept sweep(int limit, Duration lookAfter) {
    return run("sweeping expired leases", () -> claims.sweep(limit, lookAfter));
  }

  @Override
  public List<OperationKey> expire(int limit) {
    return run("ending expired intents", () -> claims.expire(limit));
  }

  @Override
  public List<Look> look(
      Collection<OperationKey> keys, Set<String> except, UUID claim, Duration lease) {
    return keys.isEmpty()
        ? List.of()
        : run("claiming unknown operations", () -> looks.look(keys, except, claim, lease));
  }

  @Override
  public List<Look> lookDue(String provider, int limit, UUID claim, Duration lease) {
    return limit <= 0
        ? List.of()
        : run(
            "claiming due unknown operations", () -> looks.lookDue(provider, limit, claim, lease));
  }

  @Override
  public Map<OperationKey, Set<String>> remoteIdsSeen(Collection<OperationKey> keys) {
    return keys.isEmpty() ? Map.of() : run("reading evidence", () -> looks.remoteIdsSeen(keys));
  }

  @Override
  public Map<String, OperationKey> owners(String provider, Collection<String> remoteIds) {
    return remoteIds.isEmpty()
        ? Map.of()
        : run("reading owners of remote tasks", () -> looks.owners(provider, remoteIds));
  }

  @Override
  public List<OperationKey> rivals(OperationKey key, String provider) {
    return run("reading rivals", () -> looks.rivals(key, provider));
  }

  @Override
  public List<Follow> follow(String provider, int limit, Duration atLeast, Duration atMost) {
    return limit <= 0
        ? List.of()
        : run("claiming accepted operations", () -> looks.follow(provider, limit, atLeast, atMost));
  }

  @Override
  public OutputTrouble outputTrouble(Follow follow, Set<Code> codes) {
    return run("reading evidence of an output", () -> outputs.trouble(follow, codes));
  }

  @Override
  public Map<OperationKey, OperationKey> twins(Collection<OperationKey> keys) {
    return keys.isEmpty() ? Map.of() : run("looking for twins", () -> outputs.twins(keys));
  }

  @Override
  public Map<String, Integer> backlog(Collection<String> providers, int bound) {
    return providers.isEmpty()
        ? Map.of()
        : run("counting the backlog", () -> claims.backlog(providers, bound));
  }

  @Override
  public List<Waiting> waiting() {
    return run("counting what waits", looks::waiting);
  }

  @Override
  public Set<String> openProviders() {
    return run("listing providers with open operations", claims::openProviders);
  }

  @Override
  public List<OutboxRow> outbox(int atLeast) {
    return run("reading the outbox", () -> outbox.outbox(atLeast));
  }

  @Override
  public Map<OperationKey, Ending> endings(Collection<OutboxRow> finished) {
    return finished.isEmpty()
        ? Map.of()
        : run("reading finished operations", () -> outbox.endings(finished));
  }

  @Override
  public void relayed(List<Long> ids) {
    if (!ids.isEmpty()) {
      run(
          "clearing the outbox",
          () -> {
            outbox.relayed(ids);
            return ids;
          });
    }
  }

  @Override
  public boolean duty(String name, UUID holder, Duration ttl) {
    return run("taking the duty " + name, () -> outbox.duty(name, holder, ttl));
  }

  private static void requireDistinct(List<OperationKey> keys) {
    if (new HashSet<>(keys).size() != keys.size()) {
      throw new IllegalArgumentException("a key stands twice in one batch of intents");
    }
  }

  /** Without its terms the statement would store an intent and silently no operation. */
  private static void requireTerms(List<NewIntent> intents, Collection<Terms> terms) {
    Set<String> known = new HashSet<>();
    terms.forEach(t -> known.add(t.provider()));
    for (NewIntent intent : intents) {
      if (!known.contains(intent.provider())) {
        throw new IllegalArgumentException(
            "no terms for provider " + intent.provider() + " of " + intent.key());
      }
    }
  }
}
