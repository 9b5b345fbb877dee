package dev.tollgate.worker.provider.http;

/** Takes the body of one answer, piece by piece, on the thread that sent the request. */
public interface BodySink {
  /**
   * Takes a piece; the buffer is reused after the call.
   *
   * @return whether more is wanted
   */
  boolean write(int status, byte[] buffer, int offset, int length);

  /** What was collected; empty if the sink passed everything on. */
  byte[] collected();
}
