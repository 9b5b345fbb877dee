package dev.tollgate.worker.provider.signature;

import java.time.Instant;
import java.util.Map;

/** One way in which senders sign requests. Thread-safe; may block on the network. */
public interface SignatureCheck {
  /**
   * Checks a request.
   *
   * @param headers by lower-case name; one that came twice is not among them
   * @param body as it came
   * @param now to be compared with the time that was signed
   */
  Outcome check(Map<String, String> headers, byte[] body, Instant now);

  /** What a check came to. */
  sealed interface Outcome {
    /** The sender has the key, and signed this lately. */
    record Genuine() implements Outcome {}

    /** It does not; the reason is for logs and holds nothing that the sender wrote. */
    record Forged(String reason) implements Outcome {}

    /** It cannot be told now. */
    record CannotTell(String reason) implements Outcome {}
  }
}
