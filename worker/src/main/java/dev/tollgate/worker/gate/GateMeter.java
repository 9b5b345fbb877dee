package dev.tollgate.worker.gate;

/** Every meter of the gate: its name, and what it means. */
public enum GateMeter {
  /** Counter, tag {@link #ANSWER_TAG}. */
  ANSWERS("tollgate.gate.answers", "Answers of the gate, by kind"),
  /** Counter. */
  ERRORS("tollgate.gate.errors", "Calls and single replies of Redis that the gate could not use"),
  /** Gauge, 0 or 1. */
  OPEN(
      "tollgate.gate.open",
      "1 while the breaker keeps Redis out of the way, 0 while Redis is asked");

  /** The tag of {@link #ANSWERS}; its values are {@link GateAnswer#tag()}. */
  public static final String ANSWER_TAG = "answer";

  private final String meterName;
  private final String meaning;

  GateMeter(String meterName, String meaning) {
    this.meterName = meterName;
    this.meaning = meaning;
  }

  /** The name it is registered under. */
  public String meterName() {
    return meterName;
  }

  /** One line for people who read a dashboard. */
  public String meaning() {
    return meaning;
  }
}
