package dev.tollgate.worker.send;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.Semaphore;
import java.util.function.IntSupplier;

/**
 * Slots whose number changes while they are in use. Where there are fewer than are in use, nobody
 * gets one until enough came back. In turn: intake and claims wait for them. Thread-safe.
 */
final class Slots extends Semaphore {
  private static final long serialVersionUID = 1L;

  /** How many there are, in use or not. */
  @GuardedBy("this")
  private int width;

  Slots(int width) {
    super(width, true);
    this.width = width;
  }

  /**
   * Makes it so many slots as there should be now.
   *
   * @return how many that are
   */
  synchronized int resize(IntSupplier wanted) {
    int to = wanted.getAsInt();
    if (to > width) {
      release(to - width);
    } else if (to < width) {
      reducePermits(width - to);
    }
    width = to;
    return to;
  }

  synchronized int inUse() {
    return width - availablePermits();
  }
}
