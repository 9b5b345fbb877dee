package dev.tollgate.loadtest.sandbox;

/** The ledger cannot be read or written. The message names the file and says what that stops. */
public final class LedgerException extends RuntimeException {
  LedgerException(String message, Throwable cause) {
    super(message, cause);
  }
}
