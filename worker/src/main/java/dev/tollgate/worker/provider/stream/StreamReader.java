package dev.tollgate.worker.provider.stream;

import dev.tollgate.worker.provider.SubmitResult;

/** Hears a stream, on the thread that reads it. May block: the provider waits then. */
public interface StreamReader {
  /**
   * The provider has taken the task. Comes once, before any event, when a create is read.
   *
   * @return whether the stream is to be read
   */
  boolean accepted(SubmitResult result);

  /**
   * Takes an event.
   *
   * @return whether more is wanted
   */
  boolean event(StreamEvent event);

  /** Whether anything more is wanted; asked whenever something comes, a sign of life included. */
  default boolean goesOn() {
    return true;
  }
}
