package dev.tollgate.worker.provider.stream;

import dev.tollgate.worker.provider.SubmitResult;

/** Where reading a stream came to its end. */
public sealed interface StreamResult {
  /** The create was not taken, or nobody knows whether it was. */
  record NotAccepted(SubmitResult result) implements StreamResult {}

  /**
   * The provider's last word was read.
   *
   * @param note what it says besides, for people; empty if nothing
   */
  record Ended(String note) implements StreamResult {}

  /** It broke off before its end: what is missing is not known. */
  record Cut(String why) implements StreamResult {}

  /** The provider says that it has no such task. */
  record Missing() implements StreamResult {}

  /** Its reader wanted no more. */
  record Stopped() implements StreamResult {}
}
