package dev.tollgate.cli.local;

/** A child process did not start, did not become ready, or could not be signalled. */
public final class ChildFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ChildFailed(String message) {
    super(message);
  }

  public ChildFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
