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

/**
 * Every statement on operations. Each method is one statement and one transaction; batches are
 * small (a few hundred), and lists that name a key twice are refused. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}: then it may have happened or not, and may be
 * repeated. Methods that give a right to send may throw {@link CommitNotReplicated}: then nothing
 * may be sent before a repeat is confirmed.
 */
public interface OperationStore {

  /**
   * Stores intents whose key is new; those with {@link NewIntent#sendNow} as {@code sending} with
   * their attempt, held by {@code claim}, the rest as {@code prepared} and due at once. Known keys
   * are left alone (rule 2). A repeat after a lost answer reports nothing as new: {@link #find}
   * then tells by the claim what the first try stored. Where nothing is new, it still waits for the
   * standby before it answers.
   *
   * @param terms one for each provider named by an intent
   * @return the keys that were new
   */
  Set<OperationKey> insert(
      List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms);

  /**
   * Stores intents whose key is new although they had been durable once: after a lossy failover, or
   * a restore. Each gets the attempt that may have been made, under a lease that is over: the sweep
   * makes it unknown, and nothing is sent before it is known what became of it. Else as {@link
   * #insert}.
   *
   * @param intents all of them with {@link NewIntent#sendNow}
   * @param claim held by nobody
   * @param since the earliest moment at which such an attempt may have been made
   */
  Set<OperationKey> insertPossiblySent(
      List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms, Instant since);

  /** Intents that are stored, for those of the keys that are. */
  List<KnownIntent> find(Collection<OperationKey> keys);

  /**
   * Claims up to {@code limit} prepared operations of a provider that are due and marks them {@code
   * sending}, attempt row included. Rows that another claim is busy with are passed over. No claim
   * id serves two calls: a repeat of one that took something takes nothing; {@link #claimed} tells
   * what it took.
   */
  List<Claim> claim(int limit, UUID claim, String owner, Terms terms);

  /**
   * As {@link #claim}, where the fleet has a limit or a budget: no more than they leave, and
   * nothing where another claim under them is under way. What was claimed is booked in the same
   * statement. What would break a budget is put off ({@code BUDGET_EXHAUSTED}) or refused, as the
   * budget says; what has no price where a budget applies is refused ({@code PRICE_UNKNOWN}).
   */
  Grant claimLimited(int limit, UUID claim, String owner, Terms terms, Limits limits);

  /**
   * What {@link #claim}, {@link #claimLimited} or {@link #insert} stored under a claim and is still
   * {@code sending}: the re-read after a lost answer, or after {@link CommitNotReplicated}. Waits
   * for the standby.
   */
  List<Claim> claimed(String provider, UUID claim);

  /**
   * Applies changes, each a compare-and-set on (key, fence, claim, expected state); appends the
   * evidence of all, whether applied or not; writes what other processes must hear. Safe to repeat.
   *
   * @return the keys whose change took place in this call
   * @throws RemoteIdTaken if one of the remote ids is another operation's; nothing of the batch is
   *     stored then
   */
  Set<OperationKey> apply(List<Change> changes);

  /**
   * Which of the changes are in effect: the re-read after a lost answer. A change counts as in
   * effect where its claim is still the newest and its expected state was left by it.
   */
  Set<OperationKey> effective(List<Change> changes);

  /**
   * Evidence came from a claim that is no longer the newest: an unknown operation is looked at now,
   * whether or not a person was waited for. A remote task that an operation in another state does
   * not have is recorded as a suspected duplicate; one that waits to be sent again, because it was
   * proved that no task exists, is held back for a person.
   *
   * @param remoteIds the remote id that each piece of evidence names, by key; empty where it names
   *     none
   * @return the keys with a suspected duplicate
   */
  Set<OperationKey> lateEvidence(Map<OperationKey, String> remoteIds);

  /**
   * Turns {@code sending} with an expired lease into {@code unknown} (rule 5), to be looked at
   * after {@code lookAfter}. Ends leases under which nothing is {@code sending}.
   *
   * @param limit most operations of one sweep
   */
  Swept sweep(int limit, Duration lookAfter);

  /** Ends {@code prepared} operations whose producer's deadline passed. */
  List<OperationKey> expire(int limit);

  /**
   * Claims unknown operations of these keys for a look, whether due or not. Rows that another claim
   * holds are passed over.
   *
   * @param except providers whose operations are passed over
   */
  List<Look> look(Collection<OperationKey> keys, Set<String> except, UUID claim, Duration lease);

  /** Claims up to {@code limit} unknown operations of a provider that are due for a look. */
  List<Look> lookDue(String provider, int limit, UUID claim, Duration lease);

  /** Remote ids that evidence of an operation names. */
  Map<OperationKey, Set<String>> remoteIdsSeen(Collection<OperationKey> keys);

  /** Which of these remote ids belong to an operation, and to which. */
  Map<String, OperationKey> owners(String provider, Collection<String> remoteIds);

  /**
   * Open operations of the provider, other than {@code key}, with the same request hash and an
   * attempt: a remote task that fits one of them fits the others too.
   */
  List<OperationKey> rivals(OperationKey key, String provider);

  /**
   * Accepted operations of a provider that are due to be asked about. Their next due time is set in
   * the same statement: the time since acceptance divided by eight, within the bounds.
   */
  List<Follow> follow(String provider, int limit, Duration atLeast, Duration atMost);

  /**
   * How often, and for how long, evidence of an operation says one of {@code codes} of its output.
   */
  OutputTrouble outputTrouble(Follow follow, Set<Code> codes);

  /**
   * Looks, for outputs that were just stored, whether the same bytes are stored for another
   * operation, and appends evidence of that to those of {@code keys} for which they are. To be
   * called when the changes that stored them are committed: of two that are stored at once, one
   * sees the other then. Safe to repeat.
   *
   * @return for each key with such a twin, the oldest one
   */
  Map<OperationKey, OperationKey> twins(Collection<OperationKey> keys);

  /** Prepared operations by provider, each counted up to {@code bound}. */
  Map<String, Integer> backlog(Collection<String> providers, int bound);

  /**
   * What is not finished and not being sent, by provider and what it waits for, and the events that
   * are not published. Reads all of it in one statement: to be asked a few times a minute.
   */
  List<Waiting> waiting();

  /** Providers that have operations which are not finished, configured or not. */
  Set<String> openProviders();

  /**
   * The oldest rows that other processes must hear, at least so many where there are: rows that one
   * statement wrote come together.
   */
  List<OutboxRow> outbox(int atLeast);

  /**
   * What is stored about operations of {@link #outbox} that are complete or failed, by key. None of
   * it changes any more, so it does not matter how much later it is read.
   */
  Map<OperationKey, Ending> endings(Collection<OutboxRow> finished);

  /** Forgets rows by their ids, when the broker has acknowledged all that share them. */
  void relayed(List<Long> ids);

  /** Takes or keeps a duty for {@code ttl}; false where another holder has it. */
  boolean duty(String name, UUID holder, Duration ttl);
}
