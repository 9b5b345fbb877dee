package dev.tollgate.cli.dlt;

import dev.tollgate.schema.Code;
import org.jspecify.annotations.Nullable;

/** What would come of a letter if it were sent back now. Immutable. */
public sealed interface Verdict {
  /** In words, for a person. */
  String says();

  /**
   * It would be taken in.
   *
   * @param micros what it would cost, in millionths of the configured currency; null where nobody
   *     knows
   */
  record Sendable(String says, @Nullable Long micros) implements Verdict {}

  /**
   * It would change nothing: what it asks for is known, and this is what became of it; or another
   * letter stands for it.
   */
  record Settled(String says) implements Verdict {}

  /** It would be refused again, or end at once, and cost nothing. */
  record RefusedAgain(Code code, String message) implements Verdict {
    @Override
    public String says() {
      return "it would be refused again: " + code + ": " + message;
    }
  }

  /** It may not be sent, whoever wants it. */
  record Barred(String says) implements Verdict {}
}
