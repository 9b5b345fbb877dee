package dev.tollgate.worker.loop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the parts of a process. */
public final class Closing {
  private static final Logger log = LoggerFactory.getLogger(Closing.class);

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
}
