package dev.tollgate.worker.provider.stream;

import dev.tollgate.worker.provider.Submission;
import java.util.OptionalLong;

/**
 * Creates whose answers are streams. Every method blocks for as long as the stream lasts, is meant
 * for a virtual thread, and makes one try. Thread-safe.
 */
public interface Streams {
  /**
   * Sends a create, once or provably not at all, and reads its answer to where it ends.
   *
   * @return never {@link StreamResult.Missing}
   */
  StreamResult open(Submission submission, StreamReader reader);

  /** Whether a stream that was cut can be read on. */
  boolean resumable();

  /**
   * Reads on where a stream was cut.
   *
   * @param cursor the provider's number of the last event that is stored; empty for the beginning
   * @return never {@link StreamResult.NotAccepted}
   */
  StreamResult resume(String remoteId, OptionalLong cursor, StreamReader reader);
}
