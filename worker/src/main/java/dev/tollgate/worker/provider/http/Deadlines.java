package dev.tollgate.worker.provider.http;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one thread that cuts exchanges at their deadlines, shared by every engine of a process.
 * Thread-safe. Setting and cancelling a deadline costs about a microsecond: it is one insert into
 * and one removal from a heap, since almost none of them ever come due.
 */
public final class Deadlines implements AutoCloseable {
  private final ScheduledThreadPoolExecutor timer;

  /** Starts the thread with the first deadline. */
  public Deadlines() {
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("http-deadlines").factory());
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Runs {@code cut} after {@code delayNanos}; it must not block. */
  Future<?> after(long delayNanos, Runnable cut) {
    return timer.schedule(cut, delayNanos, TimeUnit.NANOSECONDS);
  }

  /** Stops the thread. Engines have to be closed before. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
