package dev.tollgate.worker.output;

import dev.tollgate.schema.key.OperationKey;
import java.io.IOException;
import java.util.Optional;

/**
 * Where outputs lie for good: one object for each operation, at a place that its key alone decides.
 * Thread-safe, between processes too.
 *
 * <p>Every method may throw {@link IOException}: the store is away, full or forbids it. Then it may
 * have happened or not, and may be repeated.
 */
public interface OutputStore extends AutoCloseable {
  /**
   * The output of an operation, if it lies there whole. What lies there was looked at before it was
   * put there; its digest is that of its bytes as they lie, not one that was noted down.
   */
  Optional<Kept> find(OperationKey key) throws IOException;

  /**
   * Puts a verified file at the operation's place, unless something is there already: then that
   * stays, and is what is returned. The file may be gone afterwards or not.
   */
  Kept keep(OperationKey key, Verified file) throws IOException;

  /** Lets go of connections. Does not throw. */
  @Override
  void close();
}
