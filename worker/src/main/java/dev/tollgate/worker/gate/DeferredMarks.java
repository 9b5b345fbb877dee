package dev.tollgate.worker.gate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A gate whose marks are written by a thread of their own: intake goes on to its next batch
 * meanwhile. A mark says what is true already and nobody waits for it, so it may come later, and
 * may be lost with the process. Where the store is slow, the caller writes its marks itself, so
 * that they do not pile up. Thread-safe.
 */
public final class DeferredMarks implements Gate {
  /** Batches whose marks wait. */
  private static final int WAITING = 2;

  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  private final Gate gate;
  private final ThreadPoolExecutor marks;

  /**
   * @param gate closed together with this one
   */
  public DeferredMarks(Gate gate) {
    this.gate = gate;
    this.marks =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING),
            Thread.ofPlatform().daemon().name("gate-marks").factory(),
            new ThreadPoolExecutor.CallerRunsPolicy());
  }

  @Override
  public List<GateAnswer> ask(List<GateKey> keys) {
    return gate.ask(keys);
  }

  @Override
  public List<GateAnswer> look(List<GateKey> keys) {
    return gate.look(keys);
  }

  @Override
  public void consumed(List<GateKey> keys) {
    List<GateKey> own = List.copyOf(keys);
    marks.execute(() -> gate.consumed(own));
  }

  @Override
  public void release(List<GateKey> keys) {
    gate.release(keys);
  }

  /** Writes the marks that wait, within a bound. */
  @Override
  public void close() {
    marks.shutdown();
    try {
      if (!marks.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        marks.shutdownNow();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    gate.close();
  }
}
