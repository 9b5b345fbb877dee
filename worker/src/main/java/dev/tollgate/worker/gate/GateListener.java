package dev.tollgate.worker.gate;

import java.time.Duration;
import java.util.List;

/** Hears of the gate. Called by many threads; must not block or throw. */
public interface GateListener {
  /** Answers were given, each for one record. */
  default void answered(List<GateAnswer> given) {}

  /** Calls of Redis, or single replies, could not be used. */
  default void errors(int count) {}

  /** A pipeline of Redis is over: answered whole, or not. */
  default void called(boolean answered, Duration took) {}

  /** Whether Redis is kept out of the way now. */
  default void open(boolean isOpen) {}
}
