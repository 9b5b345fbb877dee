package dev.tollgate.worker.loop;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the parts of a process. */
public final class Closing {
  private static final Logger log = LoggerFactory.getLogger(Closing.class);

  private static final Duration LETTING_GO = Duration.ofSeconds(5);

  private Closing() {}

  /** Runs every step in order; one that fails is reported and does not keep the others from it. */
  public static void inOrder(Runnable... steps) {
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException e) {
        log.error("a part was not closed cleanly; the others are closed all the same", e);
      }
    }
  }

  /**
   * Waits until a writer's thread has written what it was handed.
   *
   * @param within after that it is told to let go of the rest, and waited for a little longer
   * @param abandon tells it
   */
  public static void writer(Thread thread, Duration within, CountDownLatch abandon) {
    try {
      if (!thread.join(within)) {
        abandon.countDown();
        thread.join(LETTING_GO);
      }
    } catch (InterruptedException _) {
      abandon.countDown();
      Thread.currentThread().interrupt();
    }
  }
}
