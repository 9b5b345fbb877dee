package dev.tollgate.embedded;

/**
 * A server could not be started, stopped or reached. The message says which server, on which port
 * or folder, and what to do; {@link #reason()} is for programs.
 */
public final class ServicesException extends RuntimeException {
  /** Why; the names are stable. */
  public enum Reason {
    /** Another process listens on a port that a server was to use. */
    PORT_TAKEN,
    /** Another process of ours runs its servers in the same data folder. */
    DATA_FOLDER_IN_USE,
    /** The server's process ended before it answered. */
    START_FAILED,
    /** The server's process lives, but did not answer in time; it was killed. */
    START_TIMED_OUT,
    /** The server's process did not end although it was killed. */
    STOP_FAILED,
    /** A call that needs a running server met a stopped or closed one. */
    NOT_RUNNING,
    /** There are no binaries for this operating system, or no way to run them as this user. */
    UNSUPPORTED_PLATFORM,
    /** Containers were asked for and no Docker engine answers. */
    ENGINE_UNAVAILABLE,
    /** A server that runs refused a request of ours, such as creating a database. */
    REQUEST_FAILED,
    /** Files could not be read or written. */
    FILES,
    /** The calling thread was interrupted; its interrupt flag is set again. */
    INTERRUPTED
  }

  private final Reason reason;

  ServicesException(Reason reason, String message) {
    super(reason + ": " + message);
    this.reason = reason;
  }

  ServicesException(Reason reason, String message, Throwable cause) {
    super(reason + ": " + message, cause);
    this.reason = reason;
  }

  /** Why, for programs. */
  public Reason reason() {
    return reason;
  }

  static ServicesException interrupted(String during, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new ServicesException(Reason.INTERRUPTED, "interrupted while " + during, cause);
  }
}
