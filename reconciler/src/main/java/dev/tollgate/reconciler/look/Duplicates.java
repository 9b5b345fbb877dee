package dev.tollgate.reconciler.look;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Look;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.Suspicions;
import dev.tollgate.schema.store.Suspicions.Extra;
import dev.tollgate.schema.store.Suspicions.Fate;
import dev.tollgate.worker.loop.Step;
import dev.tollgate.worker.provider.CancelResult;
import dev.tollgate.worker.provider.ProviderAdapter;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that one operation has beyond the one it needs: recorded, counted, told, and ended where
 * the provider allows. Only what is provably extra is ended: a create of ours was answered with it,
 * or it carries our own reference, and the one to keep is on record. That something between us and
 * the provider sent a request more than once is the usual cause, so the log names the provider's
 * way. Thread-safe; blocks.
 */
public final class Duplicates implements Step {
  private static final Logger log = LoggerFactory.getLogger(Duplicates.class);

  /** A task that was noticed longer ago is over: asking to end it would end nothing. */
  private static final Duration WITHIN = Duration.ofDays(1);

  private static final int MOST = 20;

  private final OperationStore store;
  private final Suspicions suspicions;
  private final Map<String, ProviderAdapter> adapters = new HashMap<>();
  private final LookListener listener;

  public Duplicates(
      OperationStore store,
      Suspicions suspicions,
      Collection<ProviderAdapter> adapters,
      LookListener listener) {
    this.store = store;
    this.suspicions = suspicions;
    adapters.forEach(adapter -> this.adapters.put(adapter.profile().name(), adapter));
    this.listener = listener;
  }

  /**
   * Records and ends extra tasks that a look found.
   *
   * @param kept the task that is to stay: nothing is ended unless it is on record as this
   *     operation's, since another look may have taken another one
   */
  void settle(Look look, String kept, List<String> extras) {
    try {
      OperationKey owner = store.owners(look.provider(), List.of(kept)).get(kept);
      if (!look.key().equals(owner)) {
        return;
      }
      for (String extra : extras) {
        if (!store.owners(look.provider(), List.of(extra)).isEmpty()) {
          continue; // on record after all
        }
        suspicions.extra(
            look.key(), extra, "it carries the reference of this operation, which has " + kept);
        end(new Extra(look.key(), look.provider(), extra, kept));
      }
    } catch (RuntimeException e) {
      log.warn("extra tasks of {} could not be ended; it is tried again", look.key(), e);
    }
  }

  /** Ends what is recorded as extra and about which nothing was decided; always false. */
  @Override
  public boolean runOnce() {
    for (Extra extra : suspicions.extras(adapters.keySet(), WITHIN, MOST)) {
      end(extra);
    }
    return false;
  }

  private void end(Extra extra) {
    ProviderAdapter adapter = adapters.get(extra.provider());
    if (adapter == null) {
      return;
    }
    CancelResult result = adapter.cancel(extra.remoteId());
    listener.duplicate(extra.provider(), word(result));
    switch (result) {
      case CancelResult.Cancelled _ ->
          close(extra, Fate.SETTLED, "the provider says that it ended the task");
      case CancelResult.TooLate _ ->
          close(extra, Fate.PAID, "the provider says that it is too late to end the task");
      case CancelResult.NotSupported _ -> close(extra, Fate.PAID, "this provider ends no task");
      case CancelResult.Unavailable(String reason) ->
          log.warn("task {} could not be ended; it is tried again: {}", extra.remoteId(), reason);
    }
    log.error(
        "operation {}: provider {} has task {} besides {}: it is paid twice, and is {} now;"
            + " something on the way to that provider sends requests again",
        extra.key(),
        extra.provider(),
        extra.remoteId(),
        extra.kept(),
        word(result));
  }

  private void close(Extra extra, Fate fate, String note) {
    suspicions.close(extra.key(), extra.remoteId(), fate, false, note);
  }

  private static String word(CancelResult result) {
    return switch (result) {
      case CancelResult.Cancelled _ -> "cancelled";
      case CancelResult.TooLate _ -> "too_late";
      case CancelResult.NotSupported _ -> "not_cancellable";
      case CancelResult.Unavailable _ -> "not_answered";
    };
  }
}
