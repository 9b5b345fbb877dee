package dev.tollgate.schema.client;

import dev.tollgate.schema.key.OperationKey;
import org.jspecify.annotations.Nullable;

/** The client could not do its part. It says nothing about the operation. */
public abstract sealed class ClientException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private ClientException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * The broker did not acknowledge a request: it may have it or not. To submit it again is safe.
   */
  public static final class NotPublished extends ClientException {
    private static final long serialVersionUID = 1L;

    NotPublished(OperationKey key, Throwable cause) {
      super(
          "the request of %s was not acknowledged: %s; it may be there or not, and may be submitted again"
              .formatted(key, cause),
          cause);
    }
  }

  /** The client was closed before the result came. What was published goes on without it. */
  public static final class Closed extends ClientException {
    private static final long serialVersionUID = 1L;

    Closed(OperationKey key) {
      super(
          "the client is closed; the operation %s, if it was published, goes on, and may be submitted again to hear of it"
              .formatted(key),
          null);
    }
  }

  /** The topics cannot be read, so that no result would be heard. */
  public static final class Unreachable extends ClientException {
    private static final long serialVersionUID = 1L;

    Unreachable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** There is no such stream, or what was sent is none: to read it again brings the same. */
  public static final class NoStream extends ClientException {
    private static final long serialVersionUID = 1L;

    NoStream(String message) {
      super(message, null);
    }
  }
}
