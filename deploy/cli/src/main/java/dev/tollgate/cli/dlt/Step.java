package dev.tollgate.cli.dlt;

import dev.tollgate.schema.store.DeadLetterFate.At;
import dev.tollgate.schema.store.DeadLetterFate.Decision;
import dev.tollgate.schema.store.DeadLetterFate.Fate;
import org.jspecify.annotations.Nullable;

/**
 * What is done with one letter of a run, or would be. Immutable.
 *
 * @param fate what it meets; null where it is left as it is
 * @param says why, in words
 * @param micros what that costs, in millionths of the configured currency; null where nobody knows
 * @param sent where it lies now, once it was sent
 */
public record Step(
    DeadLetter letter,
    @Nullable Fate fate,
    String says,
    @Nullable Long micros,
    Resend.@Nullable Sent sent) {

  /** What a replay does where a verdict is given. */
  public static Step replay(DeadLetter letter, Verdict verdict, boolean force) {
    return switch (verdict) {
      case Verdict.Sendable(String says, Long micros) ->
          new Step(letter, Fate.REPLAYED, says, micros, null);
      case Verdict.Settled(String says) -> new Step(letter, Fate.SETTLED, says, 0L, null);
      case Verdict.RefusedAgain _ ->
          new Step(letter, force ? Fate.REPLAYED : null, verdict.says(), 0L, null);
      case Verdict.Barred(String says) -> new Step(letter, null, says, 0L, null);
    };
  }

  /** A letter that nobody wants. */
  public static Step discard(DeadLetter letter) {
    return new Step(letter, Fate.DISCARDED, "it is not wanted", 0L, null);
  }

  Step left(String why) {
    return new Step(letter, null, why, 0L, null);
  }

  Step sent(Resend.Sent at) {
    return new Step(letter, fate, says, micros, at);
  }

  At at() {
    return new At(letter.place().partition(), letter.place().offset());
  }

  Decision decision(Fate met) {
    Place place = letter.place();
    String note = sent == null ? says : "to " + sent.place();
    return new Decision(place.partition(), place.offset(), met, note, micros);
  }
}
