package dev.tollgate.worker.provider;

import dev.tollgate.schema.Code;
import java.time.Duration;

/**
 * What one try to create a remote task is known to have done. Reasons are for people and logs: they
 * hold no body, no prompt and no credential.
 */
public sealed interface Verdict {
  /** The reason code under which this is stored and counted. */
  Code code();

  /**
   * The provider created the task.
   *
   * @param remoteId the provider's id of it: 1 to 256 printable ASCII characters without spaces
   * @param note what was odd about the answer ({@code "cut: ..."}), empty if nothing was
   */
  record Accepted(String remoteId, String note) implements Verdict {
    @Override
    public Code code() {
      return Code.PROVIDER_ACCEPTED;
    }
  }

  /**
   * The provider refused, and documents that such an answer means nothing was created.
   *
   * @param rejection the class of the refusal
   * @param reason status and the provider's error code
   */
  record Rejected(Rejection rejection, String reason) implements Verdict {
    @Override
    public Code code() {
      return rejection.ofAccount() ? Code.ACCOUNT_REFUSED : Code.PROVIDER_REJECTED;
    }
  }

  /**
   * The provider asked for a pause, and documents that it does so before it creates anything.
   *
   * @param retryAfter how long it asked to be left alone; positive, at most one hour
   * @param reason status and the provider's error code
   */
  record Throttled(Duration retryAfter, String reason) implements Verdict {
    @Override
    public Code code() {
      return Code.PROVIDER_THROTTLED;
    }
  }

  /**
   * No byte of the request left, or the peer disclaimed it unprocessed (HTTP/2 only).
   *
   * @param reason what stood in the way
   */
  record NotSent(String reason) implements Verdict {
    @Override
    public Code code() {
      return Code.NOT_SENT;
    }
  }

  /**
   * A task may exist. An id that was seen in an answer which does not prove a task is in {@link
   * RawAnswer#seenRemoteId()}, to be verified; that it is not found proves nothing.
   *
   * @param reason what was seen, and why it decides nothing
   */
  record Unknown(String reason) implements Verdict {
    @Override
    public Code code() {
      return Code.OUTCOME_UNKNOWN;
    }
  }
}
