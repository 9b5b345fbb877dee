package dev.tollgate.worker.provider;

/** What became of asking a provider to end a task. */
public sealed interface CancelResult {
  /** The provider says that it ends, or has ended. */
  record Cancelled() implements CancelResult {}

  /** The provider says that it runs or is over: nothing changed. */
  record TooLate() implements CancelResult {}

  /** This provider cancels nothing. */
  record NotSupported() implements CancelResult {}

  /** No usable answer; it may be asked again. */
  record Unavailable(String reason) implements CancelResult {}
}
