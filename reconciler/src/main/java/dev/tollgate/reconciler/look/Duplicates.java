package dev.tollgate.reconciler.look;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Look;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.worker.provider.CancelResult;
import dev.tollgate.worker.provider.ProviderAdapter;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that one operation has beyond the one it needs: counted, told, and ended where the provider
 * allows. That something between us and the provider sent a request more than once is the usual
 * cause, so the log names the provider's way. Thread-safe; blocks.
 */
final class Duplicates {
  private static final Logger log = LoggerFactory.getLogger(Duplicates.class);

  private final OperationStore store;
  private final Map<String, ProviderAdapter> adapters;
  private final LookListener listener;

  Duplicates(OperationStore store, Map<String, ProviderAdapter> adapters, LookListener listener) {
    this.store = store;
    this.adapters = adapters;
    this.listener = listener;
  }

  /**
   * Ends extra tasks.
   *
   * @param kept the task that is to stay: nothing is ended unless it is on record as this
   *     operation's, since another look may have taken another one
   */
  void settle(Look look, String kept, List<String> extras) {
    try {
      OperationKey owner = store.owners(look.provider(), List.of(kept)).get(kept);
      ProviderAdapter adapter = adapters.get(look.provider());
      if (!look.key().equals(owner) || adapter == null) {
        return;
      }
      for (String extra : extras) {
        if (!store.owners(look.provider(), List.of(extra)).isEmpty()) {
          continue; // on record after all
        }
        CancelResult result = adapter.cancel(extra);
        listener.duplicate(look.provider(), word(result));
        log.error(
            "operation {}: provider {} has task {} besides {}: it is paid twice, and is {} now;"
                + " something on the way to that provider sends requests again",
            look.key(),
            look.provider(),
            extra,
            kept,
            word(result));
      }
    } catch (RuntimeException e) {
      log.warn("extra tasks of {} could not be ended: {}", look.key(), extras, e);
    }
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
