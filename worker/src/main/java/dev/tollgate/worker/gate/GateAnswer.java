package dev.tollgate.worker.gate;

/** What the gate says about one operation key. */
public enum GateAnswer {
  /** First here: the claim is ours, go on to the database. */
  ACQUIRED("acquired"),
  /**
   * Our own claim stood there already: a command was carried out and its answer lost, or the key
   * came twice. As good as {@link #ACQUIRED}.
   */
  OWN("own"),
  /**
   * Another owner is at it: hold the message back for a short, bounded time, look again, then let
   * the database decide.
   */
  HELD("held"),
  /**
   * Durable already, with the same request hash: the message may be acknowledged as a duplicate.
   */
  CONSUMED_SAME("consumed_same"),
  /**
   * Durable already, with another request hash: the database decides (and will refuse the
   * mismatch).
   */
  CONSUMED_OTHER("consumed_other"),
  /**
   * The gate has nothing to say (store away, slow, skipped, or a value nobody here wrote): the
   * database decides.
   */
  UNAVAILABLE("unavailable");

  private final String tag;

  GateAnswer(String tag) {
    this.tag = tag;
  }

  /** The answer's name in metrics. */
  public String tag() {
    return tag;
  }

  /** Whether this process holds the claim. */
  public boolean claimed() {
    return this == ACQUIRED || this == OWN;
  }

  /** Whether a message may be acknowledged on this answer alone, without the database. */
  public boolean acknowledges() {
    return this == CONSUMED_SAME;
  }
}
