package dev.tollgate.worker.gate;

import org.jspecify.annotations.Nullable;

/** Redis could not be asked, or did not answer within the budget. Never leaves the package. */
final class RedisAwayException extends Exception {

  RedisAwayException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
