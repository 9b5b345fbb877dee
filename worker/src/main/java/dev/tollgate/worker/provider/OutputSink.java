package dev.tollgate.worker.provider;

import java.io.IOException;

/** Where a download goes. Called by one thread, in order. */
@FunctionalInterface
public interface OutputSink {
  /**
   * Takes {@code length} bytes of {@code buffer} from {@code offset}; the buffer is reused after
   * the call.
   */
  void write(byte[] buffer, int offset, int length) throws IOException;

  /**
   * Forgets what was written: all of it comes again.
   *
   * @return false where that cannot be done
   */
  default boolean startOver() throws IOException {
    return false;
  }
}
