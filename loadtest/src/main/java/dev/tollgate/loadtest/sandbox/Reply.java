package dev.tollgate.loadtest.sandbox;

/**
 * What the connection does with one request. Immutable.
 *
 * @param n the create request whose answer this is; 0 for reads
 * @param paced whether the provider's answer delay passes first
 * @param delayMs pause after that, before anything is sent
 * @param looksBack whether to look, before the answer, if the client is still there
 * @param manner how it is sent
 */
record Reply(long n, boolean paced, long delayMs, boolean looksBack, Manner manner) {
  /** How a reply leaves, or does not. */
  sealed interface Manner {}

  /** In whole; the connection goes on. */
  record Whole(HttpAnswer answer) implements Manner {}

  /** The first bytes, then FIN. */
  record Cut(HttpAnswer answer, int bytes) implements Manner {}

  /**
   * The events of a text, each when it is due.
   *
   * @param beganMs when the first one was due
   * @param from number of the first that is sent
   * @param repeated number of the one that is sent twice; negative for none
   * @param bytesMax how many bytes of all are sent at most, then FIN
   */
  record Streamed(TextStream text, long beganMs, int from, int repeated, long bytesMax)
      implements Manner {
    Streamed cut(long bytes) {
      return new Streamed(text, beganMs, from, repeated, bytes);
    }
  }

  /** Nothing; the socket stays until the client goes. */
  record Silence() implements Manner {}

  /** Nothing but a reset. */
  record Reset() implements Manner {}

  static Reply read(boolean paced, HttpAnswer answer) {
    return read(paced, new Whole(answer));
  }

  static Reply read(boolean paced, Manner manner) {
    return new Reply(0, paced, 0, false, manner);
  }
}
