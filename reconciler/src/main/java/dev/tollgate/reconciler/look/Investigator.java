package dev.tollgate.reconciler.look;

import dev.tollgate.reconciler.ladder.Finding;
import dev.tollgate.reconciler.ladder.Ladder;
import dev.tollgate.reconciler.ladder.Settlement;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Look;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.write.ChangeWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
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

  private static final Set<Recourse> LISTS =
      EnumSet.of(Recourse.ECHOED_REFERENCE, Recourse.LIST_BY_TIME);

  private static final Ladder.Lister NOBODY =
      (_, _) -> new LookupResult.Unavailable("its provider is not configured here");

  private final Map<String, ProviderAdapter> adapters = new HashMap<>();
  private final Ladder ladder;
  private final Settlement settlement;
  private final ChangeWriter writer;
  private final LookListener listener;
  private final Duplicates duplicates;
  private final ThreadFactory threads = Thread.ofVirtual().name("look-", 0).factory();

  public Investigator(
      Collection<ProviderAdapter> adapters,
      Ladder ladder,
      Settlement settlement,
      ChangeWriter writer,
      Duplicates duplicates,
      LookListener listener) {
    adapters.forEach(adapter -> this.adapters.put(adapter.profile().name(), adapter));
    this.ladder = ladder;
    this.settlement = settlement;
    this.writer = writer;
    this.listener = listener;
    this.duplicates = duplicates;
  }

  /** Whether several looks at a provider may be served by one call. */
  boolean shares(String provider) {
    ProviderAdapter adapter = adapters.get(provider);
    if (adapter == null) {
      return false;
    }
    List<Recourse> recourses = adapter.profile().recourses();
    return recourses.stream().anyMatch(LISTS::contains)
        && !recourses.contains(Recourse.LOOKUP_BY_REFERENCE);
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
    ProviderAdapter adapter = adapters.get(look.provider());
    investigate(look, adapter == null ? NOBODY : adapter::list, done);
  }

  /**
   * Looks at operations of one provider that were claimed together.
   *
   * @param callsMax most calls for a list at once where each needs one of its own
   * @param done run for each, as above
   */
  void investigate(String provider, List<Look> looks, int callsMax, Runnable done) {
    ProviderAdapter adapter = adapters.get(provider);
    if (adapter == null) {
      looks.forEach(look -> investigate(look, done));
      return;
    }
    for (SharedList.Group group : SharedList.groups(ladder, adapter, looks, callsMax)) {
      group.looks().forEach(look -> investigate(look, group.lister(), done));
    }
  }

  private void investigate(Look look, Ladder.Lister lister, Runnable done) {
    threads
        .newThread(
            () -> {
              try {
                Finding finding = find(look, lister);
                listener.looked(
                    look.provider(), finding.getClass().getSimpleName().toLowerCase(Locale.ROOT));
                Change change = settlement.of(look, finding, shares(look.provider()));
                writer.write(change, () -> settled(look, finding, change, done));
              } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                log.warn(
                    "looking at {} failed; it is due again when its lease ends", look.key(), e);
                listener.looked(look.provider(), "failed");
                done.run();
              }
            })
        .start();
  }

  /**
   * After a finding is stored, or was too late to be. Extra tasks are ended only once it is certain
   * that the one to keep is the one on record.
   */
  private void settled(Look look, Finding finding, Change change, Runnable done) {
    if (change.to() != OperationState.UNKNOWN) {
      listener.settled(
          look.provider(), change.to().word(), Duration.between(look.lastBegan(), look.now()));
    }
    if (finding instanceof Finding.Found(String kept, String _, List<String> extras)
        && !extras.isEmpty()) {
      threads.newThread(() -> duplicates.settle(look, kept, extras)).start();
    }
    done.run();
  }

  private Finding find(Look look, Ladder.Lister lister) {
    ProviderAdapter adapter = adapters.get(look.provider());
    return adapter == null
        ? new Finding.Undecided("provider " + look.provider() + " is not configured here")
        : ladder.climb(look, adapter, lister);
  }
}
