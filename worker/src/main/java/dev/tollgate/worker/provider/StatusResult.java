package dev.tollgate.worker.provider;

import java.time.Duration;
import java.util.Optional;

/** What a status call said. Only {@link Status} says anything about the task's fate. */
public sealed interface StatusResult {
  /**
   * The provider knows the task.
   *
   * @param state where it stands
   * @param output present when the task succeeded and named its output
   * @param error present when the task failed
   */
  record Status(TaskState state, Optional<OutputRef> output, Optional<TaskError> error)
      implements StatusResult {}

  /** The provider says, in its own error shape, that it has no such task: maybe not yet. */
  record NotFound() implements StatusResult {}

  /** No usable answer; ask again later. */
  record Unavailable(String reason) implements StatusResult {}

  /**
   * The provider was asked too often.
   *
   * @param retryAfter for how long it wants to be left alone; positive
   */
  record Throttled(Duration retryAfter) implements StatusResult {}

  /**
   * The task is known, its state is a word that the contract does not have.
   *
   * @param word the word, capped and made printable
   */
  record UnknownWord(String word) implements StatusResult {}
}
