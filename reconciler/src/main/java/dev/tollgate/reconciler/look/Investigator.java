package dev.tollgate.reconciler.look;

import dev.tollgate.reconciler.ladder.Finding;
import dev.tollgate.reconciler.ladder.Ladder;
import dev.tollgate.reconciler.ladder.Settlement;
import dev.tollgate.schema.store.Look;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.write.ChangeWriter;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries claimed looks out, each on a virtual thread, and hands their outcome to the writer.
 * Thread-safe.
 */
public final class Investigator {
  private static final Logger log = LoggerFactory.getLogger(Investigator.class);

  private final Map<String, ProviderAdapter> adapters = new HashMap<>();
  private final Ladder ladder;
  private final Settlement settlement;
  private final ChangeWriter writer;
  private final LookListener listener;
  private final ThreadFactory threads = Thread.ofVirtual().name("look-", 0).factory();

  public Investigator(
      Collection<ProviderAdapter> adapters,
      Ladder ladder,
      Settlement settlement,
      ChangeWriter writer,
      LookListener listener) {
    adapters.forEach(adapter -> this.adapters.put(adapter.profile().name(), adapter));
    this.ladder = ladder;
    this.settlement = settlement;
    this.writer = writer;
    this.listener = listener;
  }

  Set<String> providers() {
    return Set.copyOf(adapters.keySet());
  }

  /**
   * Looks at an operation.
   *
   * @param done run when the outcome is stored, or the look failed: then its lease ends and it is
   *     due again
   */
  void investigate(Look look, Runnable done) {
    threads
        .newThread(
            () -> {
              try {
                Finding finding = find(look);
                listener.looked(
                    look.provider(), finding.getClass().getSimpleName().toLowerCase(Locale.ROOT));
                writer.write(settlement.of(look, finding), done);
              } catch (RuntimeException e) {
                log.warn(
                    "looking at {} failed; it is due again when its lease ends", look.key(), e);
                listener.looked(look.provider(), "failed");
                done.run();
              }
            })
        .start();
  }

  private Finding find(Look look) {
    ProviderAdapter adapter = adapters.get(look.provider());
    return adapter == null
        ? new Finding.Undecided("provider " + look.provider() + " is not configured here")
        : ladder.climb(look, adapter);
  }
}
