package dev.tollgate.worker.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tollgate.schema.event.NextGeneration;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.KnownIntent;
import dev.tollgate.schema.store.NewIntent;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.schema.store.Terms;
import dev.tollgate.worker.gate.InMemoryGate;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.retention.Horizon;
import dev.tollgate.worker.retention.Horizons;
import dev.tollgate.worker.send.Lane;
import dev.tollgate.worker.send.Lanes;
import dev.tollgate.worker.send.SendListener;
import dev.tollgate.worker.send.SendPolicy;
import dev.tollgate.worker.send.Sender;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.WriteListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** One worker's intake without servers: a store, a gate and a provider that a test scripts. */
final class IntakeBench implements AutoCloseable {
  static final String PROVIDER = "keyed";
  static final String BLIND = "blind";
  static final int SLOTS = 3;
  static final int GENERATIONS_MAX = 3;
  static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  final Store store = new Store();
  final ScriptedAdapter adapter = ScriptedAdapter.of(PROVIDER, Recourse.IDEMPOTENT_CREATE, SLOTS);
  final ScriptedAdapter blind = ScriptedAdapter.of(BLIND, Recourse.NONE, SLOTS);
  final Map<String, Lane> lanes =
      Map.of(
          PROVIDER,
          Lanes.drained(Lanes.of(adapter, System::nanoTime)),
          BLIND,
          Lanes.drained(Lanes.of(blind, System::nanoTime)));
  final InMemoryGate gate;
  final AtomicInteger claimerWoken = new AtomicInteger();
  final AtomicInteger heldBack = new AtomicInteger();
  final List<String> generations = new CopyOnWriteArrayList<>();
  final AtomicInteger waits = new AtomicInteger();
  volatile boolean paused;
  volatile @Nullable Horizon horizon;
  volatile Runnable whileHeldBack = () -> {};
  volatile java.util.function.IntConsumer whileWaiting = _ -> {};

  private final ChangeWriter writer;
  final Intake intake;
  private long offset;

  /** Providers and prices of what was answered from record. */
  final List<String> answered = new ArrayList<>();

  IntakeBench(InMemoryGate.Store redis, String owner) {
    gate = new InMemoryGate(redis, "1-1", owner);
    writer =
        new ChangeWriter(
            "outcomes", store, new WriteListener() {}, 8, Duration.ZERO, System::nanoTime);
    writer.start();
    IntakeListener listener =
        new IntakeListener() {
          @Override
          public void heldBack(int records) {
            heldBack.addAndGet(records);
          }

          @Override
          public void answeredFromRecord(String provider, OptionalLong micros) {
            answered.add(provider + " " + micros.orElse(-1));
          }

          @Override
          public void generation(String provider, boolean byPolicy) {
            generations.add(provider + (byPolicy ? " policy" : " request"));
          }
        };
    Sender sender =
        new Sender(
            writer,
            new SendPolicy(3, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO),
            new SendListener() {},
            System::nanoTime,
            Optional.empty());
    IntentWriter intents =
        new IntentWriter(
            store,
            gate,
            new IntentWriter.Handover(lanes, sender, claimerWoken::incrementAndGet, () -> paused),
            new SubmissionKeys(new byte[32]),
            (provider, params) ->
                provider.equals(PROVIDER) ? OptionalLong.of(params.length) : OptionalLong.empty(),
            owner,
            UUID::randomUUID,
            System::nanoTime,
            failures -> {
              waits.incrementAndGet();
              whileWaiting.accept(failures);
              if (failures > 10) {
                throw new InterruptedException("closing");
              }
            },
            listener);
    intake =
        new Intake(
            gate,
            intents,
            Acceptance.of(List.of(adapter, blind)).upToGeneration(GENERATIONS_MAX),
            new OldRequests(
                store,
                () -> Optional.ofNullable(horizon).map(h -> new Horizons.Known(Map.of(), h)),
                () -> Optional.of(NOW)),
            listener,
            () -> whileHeldBack.run());
  }

  Intake.Taken take(List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException {
    return intake.take(records);
  }

  Intake.Taken takeAgain(List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException {
    return intake.take(records, _ -> NOW);
  }

  /** A record that asks a provider for product n. */
  ConsumerRecord<byte[], byte[]> record(String provider, int n, int seed) {
    String json =
        """
        {"kind":"video","product":"p-%d","provider":"%s","params":{"prompt":"a red kite","seed":%d}}"""
            .formatted(n, provider, seed);
    return record(key(json).toString().getBytes(UTF_8), json.getBytes(UTF_8));
  }

  ConsumerRecord<byte[], byte[]> record(int n) {
    return record(PROVIDER, n, 7);
  }

  /** A record that asks for the generation after that of another record. */
  ConsumerRecord<byte[], byte[]> next(ConsumerRecord<byte[], byte[]> earlier, String by) {
    String line = new String(earlier.value(), UTF_8);
    return switch (NextGeneration.ofJsonLine(line, "/shop", by, "too dark")) {
      case RequestWriter.Ready ready ->
          record(ready.message().keyBytes(), ready.message().valueBytes());
      case dev.tollgate.schema.event.Refused refused ->
          throw new IllegalArgumentException(refused.message());
    };
  }

  ConsumerRecord<byte[], byte[]> record(byte @Nullable [] key, byte @Nullable [] value) {
    return record(key, value, 0);
  }

  /** The same request, sent at another time. */
  static ConsumerRecord<byte[], byte[]> sentAt(
      ConsumerRecord<byte[], byte[]> record, Instant time) {
    return record(record.offset(), record.key(), record.value(), time.toEpochMilli());
  }

  private ConsumerRecord<byte[], byte[]> record(
      byte @Nullable [] key, byte @Nullable [] value, long timestamp) {
    return record(offset++, key, value, timestamp);
  }

  private static ConsumerRecord<byte[], byte[]> record(
      long offset, byte @Nullable [] key, byte @Nullable [] value, long timestamp) {
    return new ConsumerRecord<>(
        "generation.requests",
        0,
        offset,
        timestamp,
        TimestampType.CREATE_TIME,
        key == null ? -1 : key.length,
        value == null ? -1 : value.length,
        key,
        value,
        new RecordHeaders(),
        java.util.Optional.empty());
  }

  List<ConsumerRecord<byte[], byte[]>> records(int from, int to) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int n = from; n < to; n++) {
      records.add(record(n));
    }
    return records;
  }

  static OperationKey key(ConsumerRecord<byte[], byte[]> record) {
    return key(new String(record.value(), UTF_8));
  }

  private static OperationKey key(String json) {
    return switch (RequestWriter.fromJsonLine(json)) {
      case RequestWriter.Ready ready -> ready.key();
      case dev.tollgate.schema.event.Refused refused ->
          throw new IllegalArgumentException(refused.message());
    };
  }

  int slotsInUse() {
    return lanes.values().stream().mapToInt(Lane::inFlight).sum();
  }

  @Override
  public void close() {
    writer.close();
  }

  /** What intake needs of a store; shared by benches that stand for several workers. */
  static final class Store extends ScriptedStore {
    record Row(NewIntent intent, @Nullable UUID claim) {}

    final Map<OperationKey, Row> rows = new ConcurrentHashMap<>();

    /** Where operations stand that are not where their insert left them. */
    final Map<OperationKey, OperationState> states = new ConcurrentHashMap<>();

    final List<List<NewIntent>> inserts = new CopyOnWriteArrayList<>();
    final List<Change> changes = new CopyOnWriteArrayList<>();

    /** What goes wrong before an insert is carried out, by its number from 1. */
    volatile IntFunction<@Nullable RuntimeException> before = _ -> null;

    /** What goes wrong after an insert was carried out. */
    volatile IntFunction<@Nullable RuntimeException> after = _ -> null;

    volatile IntFunction<@Nullable RuntimeException> finding = _ -> null;
    final AtomicInteger finds = new AtomicInteger();

    NewIntent stored(OperationKey key) {
      Row row = rows.get(key);
      if (row == null) {
        throw new AssertionError(key + " is not stored");
      }
      return row.intent;
    }

    private static void fail(@Nullable RuntimeException e) {
      if (e != null) {
        throw e;
      }
    }

    @Override
    public Set<OperationKey> insert(
        List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms) {
      inserts.add(List.copyOf(intents));
      int call = inserts.size();
      fail(before.apply(call));
      Set<OperationKey> fresh = new LinkedHashSet<>();
      for (NewIntent intent : intents) {
        Row row = new Row(intent, intent.sendNow() ? claim : null);
        if (rows.putIfAbsent(intent.key(), row) == null) {
          fresh.add(intent.key());
        }
      }
      fail(after.apply(call));
      return fresh;
    }

    @Override
    public Set<OperationKey> insertPossiblySent(
        List<NewIntent> intents, UUID claim, String owner, Collection<Terms> terms, Instant since) {
      Set<OperationKey> fresh = insert(intents, claim, owner, terms);
      possiblySent.addAll(fresh);
      return fresh;
    }

    final Set<OperationKey> possiblySent = java.util.concurrent.ConcurrentHashMap.newKeySet();

    @Override
    public List<KnownIntent> find(Collection<OperationKey> keys) {
      fail(finding.apply(finds.incrementAndGet()));
      List<KnownIntent> known = new ArrayList<>();
      for (OperationKey key : keys) {
        Row row = rows.get(key);
        if (row != null) {
          known.add(
              new KnownIntent(
                  key,
                  row.intent.requestHash(),
                  states.getOrDefault(
                      key, row.claim == null ? OperationState.PREPARED : OperationState.SENDING),
                  row.claim == null ? 0 : 1,
                  row.claim,
                  row.intent.productionTask()));
        }
      }
      return known;
    }

    @Override
    public Set<OperationKey> apply(List<Change> batch) {
      changes.addAll(batch);
      Map<OperationKey, Change> keys = new HashMap<>();
      batch.forEach(change -> keys.put(change.key(), change));
      return keys.keySet();
    }

    @Override
    public Set<OperationKey> lateEvidence(Map<OperationKey, String> remoteIds) {
      return Set.of();
    }
  }
}
