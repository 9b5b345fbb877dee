package dev.tollgate.cli;

/** The end of a command that did not do its work: an exit code and one line that says why. */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An item was refused or failed. */
  static final int REFUSED = 1;

  /** The command line or the configuration is wrong. */
  static final int USAGE = 2;

  /** A server cannot be reached. */
  static final int UNREACHABLE = 3;

  private final int exitCode;

  private Failure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  private Failure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }

  static Failure refused(String message) {
    return new Failure(REFUSED, message);
  }

  static Failure refused(String message, Throwable cause) {
    return new Failure(REFUSED, message, cause);
  }

  static Failure usage(String message) {
    return new Failure(USAGE, message);
  }

  static Failure usage(String message, Throwable cause) {
    return new Failure(USAGE, message, cause);
  }

  static Failure unreachable(String message) {
    return new Failure(UNREACHABLE, message);
  }

  static Failure unreachable(String message, Throwable cause) {
    return new Failure(UNREACHABLE, message, cause);
  }
}
