package dev.tollgate.worker.provider;

import java.util.Optional;

/** What a webhook was. Reasons are for logs: they hold nothing that its sender wrote. */
public sealed interface WebhookResult {
  /**
   * Something about a task.
   *
   * @param event the provider's id of the event, the same whenever it is sent again; made of the
   *     bytes where the provider has none
   * @param reference the submission key that the task was created with, where it is named
   * @param remoteId the task
   * @param state the task's state, where its word is known
   * @param signed whether a signature proves the sender; else its address has to
   * @param body redacted and capped
   * @param truncated whether the body was cut to the cap
   */
  record Report(
      String event,
      Optional<String> reference,
      Optional<String> remoteId,
      Optional<TaskState> state,
      boolean signed,
      Bytes body,
      boolean truncated)
      implements WebhookResult {}

  /**
   * It only asks whether somebody is there.
   *
   * @param answer what it wants back, as JSON
   */
  record Challenge(Bytes answer) implements WebhookResult {}

  /** Somebody else sent it, or long ago. */
  record Forged(String reason) implements WebhookResult {}

  /** It cannot be understood. */
  record Malformed(String reason) implements WebhookResult {}

  /** It cannot be verified now. */
  record CannotTell(String reason) implements WebhookResult {}
}
