package dev.tollgate.worker.gate;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came back for one batch. Confined to one thread at a time. */
final class Replies {

  private final GateAnswer[] answers;
  private int errors;
  private @Nullable String failure;

  /** Every place answers UNAVAILABLE until something better is known. */
  Replies(int size) {
    answers = new GateAnswer[size];
    Arrays.fill(answers, GateAnswer.UNAVAILABLE);
  }

  void answer(int place, GateAnswer answer) {
    answers[place] = answer;
  }

  /**
   * Counts an entry that cannot be used. That is no news of Redis itself: one bad key must not
   * close the gate for all.
   */
  void flaw() {
    errors++;
  }

  /** Counts a reply that shows Redis cannot be used at present. */
  void failure(@Nullable Object reply) {
    errors++;
    if (failure == null) {
      failure =
          reply instanceof byte[] ? "a reply that does not fit the command" : String.valueOf(reply);
    }
  }

  List<GateAnswer> answers() {
    return List.of(answers);
  }

  int errors() {
    return errors;
  }

  /** The first failure, or null where Redis did its work. */
  @Nullable String failure() {
    return failure;
  }
}
