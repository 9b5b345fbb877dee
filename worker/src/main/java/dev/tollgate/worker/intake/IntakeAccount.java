package dev.tollgate.worker.intake;

import dev.tollgate.worker.loop.Step;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Has the database write down how far intake has come, a while after it was durable there: the
 * account is lost together with what it speaks of, or it holds. Confined to its loop's thread.
 */
public final class IntakeAccount implements Step {
  private final Supplier<Map<Integer, Long>> progress;
  private final Consumer<Map<Integer, Long>> account;
  private Map<Integer, Long> written = Map.of();

  /**
   * @param progress the next offset of each partition that is read here
   * @param account writes that down
   */
  public IntakeAccount(
      Supplier<Map<Integer, Long>> progress, Consumer<Map<Integer, Long>> account) {
    this.progress = progress;
    this.account = account;
  }

  @Override
  public boolean runOnce() {
    Map<Integer, Long> now = progress.get();
    if (!now.isEmpty() && !now.equals(written)) {
      account.accept(now);
      written = now;
    }
    return false;
  }
}
