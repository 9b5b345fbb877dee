package dev.tollgate.schema.store;

/**
 * A change would give an operation a remote id that another operation holds. Nothing of its batch
 * was stored.
 */
public final class RemoteIdTaken extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RemoteIdTaken(Throwable cause) {
    super(
        "a remote id of this batch belongs to another operation; nothing of the batch was stored",
        cause);
  }
}
