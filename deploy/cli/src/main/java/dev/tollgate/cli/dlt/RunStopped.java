package dev.tollgate.cli.dlt;

import org.jspecify.annotations.Nullable;

/**
 * A run went no further. What it did until then is recorded; a letter that it had claimed may have
 * been sent or not. It can be gone on with.
 */
public final class RunStopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RunStopped(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
