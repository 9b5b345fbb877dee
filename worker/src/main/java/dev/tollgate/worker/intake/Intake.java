package dev.tollgate.worker.intake;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Decoded;
import dev.tollgate.schema.event.GenerationRequest;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestDecoder;
import dev.tollgate.schema.kafka.DeadLetters.Letter;
import dev.tollgate.worker.gate.Gate;
import dev.tollgate.worker.gate.GateAnswer;
import dev.tollgate.worker.gate.GateKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Makes one batch of records durable, without a consumer: everything but the offsets and the dead
 * letters' way to the broker. Confined to the intake thread.
 */
public final class Intake {
  private final Gate gate;
  private final IntentWriter intents;
  private final Acceptance acceptance;
  private final OldRequests old;
  private final IntakeListener listener;
  private final Pause holdBack;

  /** Waits for a bounded time before held-back records are looked at again. */
  @FunctionalInterface
  public interface Pause {
    void run() throws InterruptedException;
  }

  /** What a batch became: every record that is no dead letter is durable. */
  public record Taken(List<Letter> letters, int stored, int duplicates) {}

  /**
   * @param acceptance what may be stored
   * @param old what is too old to be stored
   * @param holdBack the wait for records that another worker is at
   */
  public Intake(
      Gate gate,
      IntentWriter intents,
      Acceptance acceptance,
      OldRequests old,
      IntakeListener listener,
      Pause holdBack) {
    this.gate = gate;
    this.intents = intents;
    this.acceptance = acceptance;
    this.old = old;
    this.listener = listener;
    this.holdBack = holdBack;
  }

  /**
   * Stores what is new in a batch.
   *
   * @throws RuntimeException if the batch was not stored whole: nothing of it may be acknowledged
   */
  public Taken take(Iterable<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException {
    return take(records, _ -> null);
  }

  /**
   * The same where some records may have been durable, and their operations sent, in a history that
   * the database has lost.
   *
   * @param sentSince null, or the earliest moment of that
   */
  Taken take(
      Iterable<ConsumerRecord<byte[], byte[]>> records,
      Function<ConsumerRecord<byte[], byte[]>, @Nullable Instant> sentSince)
      throws InterruptedException {
    List<Letter> letters = new ArrayList<>();
    List<Arrival> arrivals = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      decode(record, sentSince.apply(record), letters, arrivals);
    }
    int stored = 0;
    int duplicates = 0;
    // a round holds each key once, in the log's order; copies of one key are rare
    for (List<Arrival> rest = arrivals; !rest.isEmpty(); ) {
      List<Arrival> later = new ArrayList<>();
      int before = letters.size();
      List<Arrival> round = firstOfEachKey(rest, later);
      int fresh = round(round, letters);
      stored += fresh;
      duplicates += round.size() - fresh - (letters.size() - before);
      rest = later;
    }
    letters.forEach(letter -> listener.deadLetter(letter.code()));
    return new Taken(letters, stored, duplicates);
  }

  private void decode(
      ConsumerRecord<byte[], byte[]> record,
      @Nullable Instant sentSince,
      List<Letter> letters,
      List<Arrival> arrivals) {
    switch (RequestDecoder.decode(record.key(), record.value(), record.headers())) {
      case Refused(Code code, String message) -> letters.add(new Letter(record, code, message));
      case Decoded.Request(GenerationRequest request) ->
          acceptance
              .refusal(request)
              .ifPresentOrElse(
                  refused -> letters.add(new Letter(record, refused.code(), refused.message())),
                  () -> arrivals.add(new Arrival(record, request, sentSince)));
    }
  }

  private static List<Arrival> firstOfEachKey(List<Arrival> arrivals, List<Arrival> later) {
    Set<Object> keys = HashSet.newHashSet(arrivals.size());
    List<Arrival> first = new ArrayList<>(arrivals.size());
    for (Arrival arrival : arrivals) {
      (keys.add(arrival.request().key()) ? first : later).add(arrival);
    }
    return first;
  }

  private int round(List<Arrival> round, List<Letter> letters) throws InterruptedException {
    List<GateKey> keys = round.stream().map(Arrival::gateKey).toList();
    List<GateAnswer> answers = gate.ask(keys);
    boolean durable = false;
    try {
      List<Arrival> held = new ArrayList<>();
      List<Arrival> toStore = new ArrayList<>(round.size());
      sort(round, answers, toStore, held);
      int stored = store(toStore, letters);
      if (!held.isEmpty()) {
        stored += storeHeld(held, letters);
      }
      durable = true;
      return stored;
    } finally {
      if (!durable) {
        gate.release(keys);
      }
    }
  }

  private void sort(
      List<Arrival> round, List<GateAnswer> answers, List<Arrival> toStore, List<Arrival> held) {
    for (int i = 0; i < round.size(); i++) {
      switch (answers.get(i)) {
        case CONSUMED_SAME -> intents.answered(round.get(i)); // durable: acknowledged
        case HELD -> held.add(round.get(i));
        case ACQUIRED, OWN, CONSUMED_OTHER, UNAVAILABLE -> toStore.add(round.get(i));
      }
    }
  }

  /**
   * Another worker is at these: a short wait saves a statement; then the database decides, whatever
   * the gate says.
   */
  private int storeHeld(List<Arrival> held, List<Letter> letters) throws InterruptedException {
    listener.heldBack(held.size());
    holdBack.run();
    List<GateAnswer> answers = gate.look(held.stream().map(Arrival::gateKey).toList());
    List<Arrival> undecided = new ArrayList<>();
    for (int i = 0; i < held.size(); i++) {
      if (answers.get(i) != GateAnswer.CONSUMED_SAME) {
        undecided.add(held.get(i));
      } else {
        intents.answered(held.get(i));
      }
    }
    return store(undecided, letters);
  }

  private int store(List<Arrival> arrivals, List<Letter> letters) throws InterruptedException {
    return intents.store(
        old.recent(arrivals, (refused, why) -> intents.refuse(refused, why, letters)), letters);
  }
}
