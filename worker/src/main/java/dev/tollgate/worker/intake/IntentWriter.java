package dev.tollgate.worker.intake;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.kafka.DeadLetters.Letter;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.CommitNotReplicated;
import dev.tollgate.schema.store.KnownIntent;
import dev.tollgate.schema.store.NewIntent;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.worker.gate.Gate;
import dev.tollgate.worker.gate.GateKey;
import dev.tollgate.worker.send.Lane;
import dev.tollgate.worker.send.Sender;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores arrivals that the gate did not answer, hands those with a slot to the sender, and tells
 * duplicates from contradictions. Confined to the intake thread.
 */
public final class IntentWriter {
  private static final Logger log = LoggerFactory.getLogger(IntentWriter.class);

  /** How long one batch may wait, all in all, for slots of fast providers. */
  private static final Duration SLOT_PATIENCE = Duration.ofMillis(500);

  private final OperationStore store;
  private final Gate gate;
  private final Handover handover;
  private final SubmissionKeys submissionKeys;
  private final Pricing pricing;
  private final String owner;
  private final Supplier<UUID> claimIds;
  private final LongSupplier nanoTime;
  private final Waiting waiting;
  private final IntakeListener listener;
  private final EarlierGenerations earlier;

  /** Waits before the database is tried again, keeping the consumer's membership alive. */
  @FunctionalInterface
  public interface Waiting {
    /**
     * Waits for a pause that grows with the failures.
     *
     * @param failures tries that failed so far
     * @throws InterruptedException when the worker is being closed
     */
    void await(int failures) throws InterruptedException;
  }

  /**
   * Who takes the stored intents on.
   *
   * @param paused whether nothing may be claimed at this moment
   */
  public record Handover(
      Map<String, Lane> lanes, Sender sender, Runnable wakeClaimer, BooleanSupplier paused) {
    public Handover {
      lanes = Map.copyOf(lanes);
    }
  }

  public IntentWriter(
      OperationStore store,
      Gate gate,
      Handover handover,
      SubmissionKeys submissionKeys,
      Pricing pricing,
      String owner,
      Supplier<UUID> claimIds,
      LongSupplier nanoTime,
      Waiting waiting,
      IntakeListener listener) {
    this.store = store;
    this.gate = gate;
    this.handover = handover;
    this.submissionKeys = submissionKeys;
    this.pricing = pricing;
    this.owner = owner;
    this.claimIds = claimIds;
    this.nanoTime = nanoTime;
    this.waiting = waiting;
    this.listener = listener;
    this.earlier = new EarlierGenerations(store);
  }

  /**
   * A chunk on its way into the database, with the claim that its sends are under.
   *
   * @param sentSince null, or since when all of it may have been sent already: nobody sends it then
   */
  private record Batch(
      List<Arrival> arrivals, List<NewIntent> intents, UUID claim, @Nullable Instant sentSince) {}

  /**
   * Stores what is new and adds a letter for each arrival that contradicts a stored intent. What
   * gets a slot soon is stored as {@code sending} in chunks, as slots come free; the rest as {@code
   * prepared}.
   *
   * @return how many were new
   */
  int store(List<Arrival> arrivals, List<Letter> letters) throws InterruptedException {
    List<Arrival> lost = arrivals.stream().filter(a -> a.sentSince() != null).toList();
    if (!lost.isEmpty()) {
      List<Arrival> others = arrivals.stream().filter(a -> a.sentSince() == null).toList();
      List<Arrival> stands =
          earlier.ended(lost, (refused, why) -> refuse(refused, afterALoss(why), letters));
      return storePossiblySent(stands, letters) + store(others, letters);
    }
    List<Arrival> queueing = new ArrayList<>();
    Map<Lane, Deque<Arrival>> sendable = new LinkedHashMap<>();
    for (Arrival arrival :
        earlier.ended(arrivals, (refused, why) -> refuse(refused, why, letters))) {
      Lane lane = laneOf(arrival.request().provider());
      if (lane.sendsFromIntake() && arrival.request().deadline() == null) {
        sendable.computeIfAbsent(lane, _ -> new ArrayDeque<>()).add(arrival);
      } else {
        queueing.add(arrival);
      }
    }
    int stored = 0;
    long until = nanoTime.getAsLong() + SLOT_PATIENCE.toNanos();
    while (!sendable.isEmpty() && !handover.paused().getAsBoolean()) {
      stored += storeSendable(sendable, queueing, until, letters);
    }
    sendable.values().forEach(queueing::addAll);
    return stored + storeChunk(queueing, Map.of(), letters);
  }

  /**
   * Of a next generation: whether it was refused before, or taken in after its earlier one had
   * ended in commits that are missing, is not known. A letter costs nothing by itself.
   */
  private static Refused afterALoss(Refused why) {
    return new Refused(
        why.code(),
        why.message()
            + "; commits of the database are missing, so it may have been sent: look at the provider"
            + " before it is replayed");
  }

  /**
   * What was durable in a history that is lost, and is not in this one: whether it was sent is not
   * known.
   */
  private int storePossiblySent(List<Arrival> arrivals, List<Letter> letters)
      throws InterruptedException {
    if (arrivals.isEmpty()) {
      return 0;
    }
    Instant since =
        arrivals.stream()
            .map(a -> Objects.requireNonNull(a.sentSince()))
            .min(Comparator.naturalOrder())
            .orElseThrow();
    Batch batch = new Batch(arrivals, intents(arrivals, true), claimIds.get(), since);
    int stored = storeAndSend(batch, letters, Map.of());
    if (stored > 0) {
      log.warn(
          "{} intents were durable before and are not in the database's history any more: they may"
              + " have been sent since {}, so they are unknown until that is found out",
          stored,
          since);
      listener.broughtBack(stored);
    }
    return stored;
  }

  /**
   * One chunk of what has slots now. A lane whose slots do not come free in time queues the rest.
   */
  private int storeSendable(
      Map<Lane, Deque<Arrival>> sendable, List<Arrival> queueing, long until, List<Letter> letters)
      throws InterruptedException {
    List<Arrival> chunk = new ArrayList<>();
    Map<Lane, Integer> slots = new HashMap<>();
    for (var lanes = sendable.entrySet().iterator(); lanes.hasNext(); ) {
      Map.Entry<Lane, Deque<Arrival>> entry = lanes.next();
      Lane lane = entry.getKey();
      Deque<Arrival> waitingHere = entry.getValue();
      // slots that are held already must not wait for those of another lane
      boolean mayWait = chunk.isEmpty();
      int got = lane.takeForIntake(waitingHere.size(), mayWait ? until : nanoTime.getAsLong());
      slots.put(lane, got);
      for (int i = 0; i < got; i++) {
        chunk.add(waitingHere.remove());
      }
      if (got == 0 && mayWait) {
        queueing.addAll(waitingHere);
        waitingHere.clear();
      }
      if (waitingHere.isEmpty()) {
        lanes.remove();
      }
    }
    return storeChunk(chunk, slots, letters);
  }

  /**
   * @param slots how many slots are held on each lane: one for each arrival, or none at all
   */
  private int storeChunk(List<Arrival> arrivals, Map<Lane, Integer> slots, List<Letter> letters)
      throws InterruptedException {
    if (arrivals.isEmpty()) {
      return 0;
    }
    Map<Lane, Integer> unused = new HashMap<>(slots);
    Batch batch = new Batch(arrivals, intents(arrivals, !slots.isEmpty()), claimIds.get(), null);
    try {
      return storeAndSend(batch, letters, unused);
    } finally {
      unused.forEach(Lane::give);
    }
  }

  private int storeAndSend(Batch batch, List<Letter> letters, Map<Lane, Integer> unused)
      throws InterruptedException {
    long asked = nanoTime.getAsLong();
    Stored stored = insertUntilAnswered(batch);
    if (batch.sentSince == null) {
      takeOn(batch, stored, asked, unused);
    }
    // only now: should reading fail, what is new is under way already
    Map<OperationKey, byte[]> known = known(batch, stored.keys);
    List<GateKey> durable = new ArrayList<>(batch.arrivals.size());
    for (int i = 0; i < batch.arrivals.size(); i++) {
      Arrival arrival = batch.arrivals.get(i);
      NewIntent intent = batch.intents.get(i);
      Retry retry = intent.retry();
      if (retry != null && stored.keys.contains(intent.key())) {
        listener.generation(intent.provider(), retry.byPolicy());
      }
      if (stored.keys.contains(intent.key())
          || Arrays.equals(known.get(intent.key()), intent.requestHash())) {
        durable.add(arrival.gateKey());
        if (!stored.keys.contains(intent.key())) {
          answered(arrival);
        }
      } else {
        refuse(arrival, mismatch(arrival), letters);
      }
    }
    gate.consumed(durable);
    return stored.keys.size();
  }

  /** What is on record answers this arrival. */
  void answered(Arrival arrival) {
    var request = arrival.request();
    listener.answeredFromRecord(
        request.provider(), pricing.micros(request.provider(), request.params().bytes()));
  }

  /** Sends what holds a slot; the rest waits for one in the database. */
  private void takeOn(Batch batch, Stored stored, long asked, Map<Lane, Integer> unused) {
    boolean queued = false;
    for (NewIntent intent : batch.intents) {
      if (!stored.keys.contains(intent.key())) {
        continue;
      }
      if (intent.sendNow()) {
        unused.merge(lane(intent), -1, Integer::sum); // the sender gives it back
        send(intent, batch.claim, stored.confirmed ? asked : lane(intent).longOver(asked));
      } else {
        lane(intent).queued();
        queued = true;
      }
    }
    if (queued) {
      handover.wakeClaimer().run();
    }
  }

  /**
   * @param confirmed whether the database answered the statement that stored these: only then may
   *     they be sent
   */
  private record Stored(Set<OperationKey> keys, boolean confirmed) {}

  /**
   * Repeats until the database answers. What a try with a lost answer stored is told by its claim.
   */
  private Stored insertUntilAnswered(Batch batch) throws InterruptedException {
    var terms = handover.lanes().values().stream().map(Lane::terms).toList();
    for (int failures = 0; ; ) {
      try {
        Set<OperationKey> fresh =
            batch.sentSince == null
                ? store.insert(batch.intents, batch.claim, owner, terms)
                : store.insertPossiblySent(
                    batch.intents, batch.claim, owner, terms, batch.sentSince);
        if (failures == 0) {
          return new Stored(fresh, true);
        }
        return new Stored(withOwn(batch, fresh), false);
      } catch (StoreUnavailable | CommitNotReplicated e) {
        failures++;
        log.warn(
            "{} intents are waiting for the database, try {}: {}",
            batch.intents.size(),
            failures,
            e.getMessage());
        waiting.await(failures);
      }
    }
  }

  private Set<OperationKey> withOwn(Batch batch, Set<OperationKey> fresh) {
    Set<OperationKey> own = new HashSet<>(fresh);
    List<OperationKey> others =
        batch.intents.stream().map(NewIntent::key).filter(key -> !fresh.contains(key)).toList();
    for (KnownIntent intent : store.find(others)) {
      if (batch.claim.equals(intent.claim()) && intent.state() == OperationState.SENDING) {
        own.add(intent.key());
      }
    }
    return own;
  }

  private Map<OperationKey, byte[]> known(Batch batch, Set<OperationKey> fresh) {
    if (fresh.size() == batch.intents.size()) {
      return Map.of();
    }
    List<OperationKey> rest =
        batch.intents.stream().map(NewIntent::key).filter(key -> !fresh.contains(key)).toList();
    Map<OperationKey, byte[]> hashes = new HashMap<>();
    store.find(rest).forEach(intent -> hashes.put(intent.key(), intent.requestHash()));
    if (hashes.size() < rest.size()) {
      throw new IllegalStateException(
          (rest.size() - hashes.size())
              + " intents are neither stored now nor before; the batch is handled again");
    }
    return hashes;
  }

  private List<NewIntent> intents(List<Arrival> arrivals, boolean sendNow) {
    List<NewIntent> intents = new ArrayList<>(arrivals.size());
    for (Arrival arrival : arrivals) {
      var request = arrival.request();
      byte[] params = request.params().bytes();
      OptionalLong price = pricing.micros(request.provider(), params);
      intents.add(
          new NewIntent(
              request.key(),
              request.provider(),
              request.requestHash().bytes(),
              submissionKeys.of(request.provider(), request.key()),
              sendNow,
              request.deadline(),
              request.productionTask(),
              request.dimensions(),
              params,
              arrival.record().partition(),
              arrival.record().offset(),
              request.producer(),
              price.isPresent() ? price.getAsLong() : null,
              request.retry()));
    }
    return intents;
  }

  private void send(NewIntent intent, UUID claim, long asked) {
    Lane lane = lane(intent);
    Claim sending =
        new Claim(
            intent.key(),
            intent.provider(),
            1,
            claim,
            1,
            false,
            intent.params(),
            intent.submissionKey(),
            false,
            intent.sourceOffset());
    handover.sender().send(lane, sending, asked, () -> lane.giveBack(handover.wakeClaimer()));
  }

  private Lane lane(NewIntent intent) {
    return laneOf(intent.provider());
  }

  private Lane laneOf(String provider) {
    Lane lane = handover.lanes().get(provider);
    if (lane == null) {
      throw new IllegalStateException("no lane for provider " + provider);
    }
    return lane;
  }

  /** Nothing is stored for it: a replay of its letter comes as if for the first time. */
  void refuse(Arrival arrival, Refused why, List<Letter> letters) {
    letters.add(new Letter(arrival.record(), why.code(), why.message()));
    gate.release(List.of(arrival.gateKey()));
  }

  private static Refused mismatch(Arrival arrival) {
    return new Refused(
        Code.KEY_PARAMETERS_MISMATCH,
        "operation %s is stored with other parameters; the stored intent is untouched"
            .formatted(arrival.request().key()));
  }
}
