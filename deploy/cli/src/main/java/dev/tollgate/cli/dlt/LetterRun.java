package dev.tollgate.cli.dlt;

import dev.tollgate.schema.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Goes through the letters of a plan a few at a time, and decides what is to be done with each. Not
 * for use by several threads.
 */
public final class LetterRun {
  /** Letters are as large as the broker allows: what is held at once is bounded by this, too. */
  private static final long BATCH_BYTES = 8L * 1024 * 1024;

  private final Plan plan;
  private final Terms terms;
  private final Optional<Judge> judge;
  private final int batch;

  /**
   * @param judge foretells what comes of a replay; a discard needs none
   * @param batch most letters that are dealt with at once
   */
  public LetterRun(Plan plan, Terms terms, Optional<Judge> judge, int batch) {
    this.plan = plan;
    this.terms = terms;
    this.judge = judge;
    this.batch = batch;
  }

  /**
   * Hands every letter that is meant to {@code work}, until it has dealt with as many as are
   * allowed.
   *
   * @param dealtWith how many were dealt with by an earlier process
   */
  public void through(DeadLetterTopic topic, long dealtWith, Consumer<List<Step>> work) {
    if (plan.size() == 0) {
      return;
    }
    Batch collected = new Batch(dealtWith, work);
    topic.forEachWhile(
        letter -> {
          if (plan.takes(letter)) {
            collected.add(letter);
          }
          return collected.room() > 0;
        });
    collected.flush();
  }

  /** What is to be done with these letters, in their order. */
  List<Step> steps(List<DeadLetter> letters) {
    if (judge.isEmpty()) {
      return letters.stream().map(Step::discard).toList();
    }
    List<DeadLetter> originals =
        letters.stream().filter(letter -> plan.original(letter).isEmpty()).toList();
    List<Verdict> verdicts = judge.get().of(originals);
    Map<Place, Verdict> byPlace = new HashMap<>();
    for (int i = 0; i < originals.size(); i++) {
      byPlace.put(originals.get(i).place(), bounded(originals.get(i), verdicts.get(i)));
    }
    List<Step> steps = new ArrayList<>(letters.size());
    for (DeadLetter letter : letters) {
      Verdict verdict =
          plan.original(letter)
              .<Verdict>map(
                  place ->
                      new Verdict.Settled("a copy of %s, which stands for it".formatted(place)))
              .orElseGet(() -> byPlace.get(letter.place()));
      steps.add(Step.replay(letter, verdict, terms.force()));
    }
    return steps;
  }

  /** What needs no sending may be settled however often it was sent. */
  private Verdict bounded(DeadLetter letter, Verdict verdict) {
    int replays = plan.replays(letter);
    boolean sends =
        switch (verdict) {
          case Verdict.Sendable _, Verdict.RefusedAgain _ -> true;
          case Verdict.Settled _, Verdict.Barred _ -> false;
        };
    return sends && replays >= terms.replaysMax()
        ? new Verdict.Barred(
            "%s: replayed %d times already, %d are allowed"
                .formatted(Code.REPLAY_LIMIT, replays, terms.replaysMax()))
        : verdict;
  }

  /** Letters that are held until there are enough of them. */
  private final class Batch {
    private final Consumer<List<Step>> work;
    private final List<DeadLetter> letters = new ArrayList<>();
    private long bytes;
    private long room;

    Batch(long dealtWith, Consumer<List<Step>> work) {
      this.work = work;
      this.room = terms.limit() == 0 ? Long.MAX_VALUE : terms.limit() - dealtWith;
    }

    long room() {
      return room;
    }

    void add(DeadLetter letter) {
      if (room <= 0) {
        return;
      }
      letters.add(letter);
      bytes += Math.max(0, letter.record().serializedValueSize());
      if (letters.size() >= Math.min(batch, room) || bytes >= BATCH_BYTES) {
        flush();
      }
    }

    void flush() {
      if (!letters.isEmpty()) {
        List<Step> steps = steps(List.copyOf(letters));
        letters.clear();
        bytes = 0;
        work.accept(steps);
        room -= steps.stream().filter(step -> step.fate() != null).count();
      }
    }
  }
}
