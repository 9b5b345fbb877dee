package dev.tollgate.schema.state;

import java.util.Locale;

/** The states of an operation. Names are stored and published in lower case. Immutable. */
public enum OperationState {
  /** The intent is stored; nothing was sent, or what was sent provably created nothing. */
  PREPARED(false),
  /** An attempt began: from here on a task may exist. */
  SENDING(false),
  /** The provider's remote id is stored: money is spent. */
  ACCEPTED(false),
  /** Nobody knows whether a remote task exists. Never a failure, never a reason to send again. */
  UNKNOWN(false),
  /** The provider refused the request or ended the task. Another try is another operation. */
  FAILED(true),
  /** The output is stored and verified. */
  COMPLETE(true);

  private final boolean terminal;
  private final String word = name().toLowerCase(Locale.ROOT);

  OperationState(boolean terminal) {
    this.terminal = terminal;
  }

  /** Whether nothing leaves this state. */
  public boolean terminal() {
    return terminal;
  }

  /** The word that is stored and published. */
  public String word() {
    return word;
  }

  /**
   * The state of a stored word.
   *
   * @throws IllegalArgumentException for a word that no build of Tollgate has written
   */
  public static OperationState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
