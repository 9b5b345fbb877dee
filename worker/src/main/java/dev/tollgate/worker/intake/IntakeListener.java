package dev.tollgate.worker.intake;

import dev.tollgate.schema.Code;
import java.time.Duration;
import java.util.OptionalLong;

/** Hears of intake. Called by the intake thread; must not block or throw. */
public interface IntakeListener {
  /** A batch is durable. */
  default void batch(int records, int stored, int duplicates, Duration took) {}

  /** A record became a dead letter. */
  default void deadLetter(Code code) {}

  /**
   * The next generation of an output was stored.
   *
   * @param byPolicy whether the configuration asked for it, and not a producer or a person
   */
  default void generation(String provider, boolean byPolicy) {}

  /** Intents were stored that a lost history had known: they count as possibly sent. */
  default void broughtBack(int intents) {}

  /**
   * A record was answered from what is stored: its operation is neither stored nor sent again.
   *
   * @param micros what another send would cost today, in millionths; nothing where nobody knows
   */
  default void answeredFromRecord(String provider, OptionalLong micros) {}

  /** Records were held back because another worker is at their operations. */
  default void heldBack(int records) {}
}
