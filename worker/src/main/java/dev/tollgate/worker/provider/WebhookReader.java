package dev.tollgate.worker.provider;

import java.time.Instant;
import java.util.Map;

/** Reads what one provider reports by itself. Thread-safe; may block on the network. */
public interface WebhookReader {
  /**
   * Verifies and reads a request.
   *
   * @param headers by lower-case name; one that came twice is not among them
   * @param body as it came
   * @param now to be compared with the time that was signed
   */
  WebhookResult read(Map<String, String> headers, byte[] body, Instant now);

  /** Whether its events may name the submission key, so that operations are found by that. */
  default boolean namesReferences() {
    return false;
  }
}
