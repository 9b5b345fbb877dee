package dev.tollgate.worker.provider.http;

import java.util.Map;

/** Takes the body of one answer, piece by piece, on the thread that sent the request. */
public interface BodySink {
  /**
   * Hears the head of the final response, before any of its body.
   *
   * @param headers by lower-case name, repeated ones joined by a comma and a space
   * @return whether the body is wanted
   */
  default boolean head(int status, Map<String, String> headers) {
    return true;
  }

  /**
   * Takes a piece; the buffer is reused after the call.
   *
   * @return whether more is wanted
   */
  boolean write(int status, byte[] buffer, int offset, int length);

  /**
   * For how long the next piece is waited for, in nanoseconds, once this one was taken; 0: until
   * the call's own deadline. Asked after each piece.
   */
  default long patienceNanos() {
    return 0;
  }

  /** What was collected; empty if the sink passed everything on. */
  byte[] collected();
}
