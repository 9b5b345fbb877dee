package dev.tollgate.worker.loop;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Says whether something that happens again and again is to be told once more: at most once a
 * minute for each subject. Subjects are few: providers, not operations. Thread-safe.
 */
public final class Notices {
  private static final long APART_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;
  private final Map<String, Long> last = new ConcurrentHashMap<>();

  public Notices(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether to tell of it now; who is told yes has told. */
  public boolean due(String subject) {
    long now = nanoTime.getAsLong();
    Long told = last.putIfAbsent(subject, now);
    return told == null || (now - told >= APART_NANOS && last.replace(subject, told, now));
  }
}
