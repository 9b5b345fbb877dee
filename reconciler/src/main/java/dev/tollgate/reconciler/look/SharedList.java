package dev.tollgate.reconciler.look;

import dev.tollgate.reconciler.ladder.Ladder;
import dev.tollgate.reconciler.ladder.Ladder.Window;
import dev.tollgate.schema.store.Look;
import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.ProviderAdapter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * One call for a provider's list, for all looks of one statement whose windows lie together: each
 * sees what of it lies in its own window. It is made after all of them were claimed, so it proves
 * for each what a call of its own would. Where the whole is not shown, each asks for itself, few at
 * once; where nothing is, one more tries, and if it gets nothing either, nobody else asks.
 * Thread-safe.
 */
final class SharedList implements Ladder.Lister {
  /** Longer lists are likely not to be shown whole. */
  private static final Duration SPAN_MAX = Duration.ofMinutes(30);

  private final ProviderAdapter adapter;
  private final Window all;
  private final boolean shared;
  private final Semaphore alone;

  /* Both under this object's lock. */
  private @Nullable LookupResult answer;

  private @Nullable LookupResult probed;

  private SharedList(ProviderAdapter adapter, List<Window> windows, int aloneMax) {
    this.adapter = adapter;
    this.all =
        new Window(
            windows.stream().map(Window::from).min(Instant::compareTo).orElseThrow(),
            windows.stream().map(Window::to).max(Instant::compareTo).orElseThrow());
    this.shared = windows.size() > 1;
    this.alone = new Semaphore(aloneMax);
  }

  /** Looks that are looked at with one list. */
  record Group(List<Look> looks, Ladder.Lister lister) {}

  /**
   * Sorts looks of one provider into groups.
   *
   * @param aloneMax most calls at once of those that have to ask for themselves, of each group
   */
  static List<Group> groups(
      Ladder ladder, ProviderAdapter adapter, List<Look> looks, int aloneMax) {
    List<Group> groups = new ArrayList<>();
    List<Look> group = new ArrayList<>();
    List<Window> windows = new ArrayList<>();
    for (Look look : looks.stream().sorted(Comparator.comparing(Look::firstBegan)).toList()) {
      Window window = ladder.window(look);
      if (!windows.isEmpty() && !together(windows, window)) {
        groups.add(
            new Group(List.copyOf(group), new SharedList(adapter, List.copyOf(windows), aloneMax)));
        group.clear();
        windows.clear();
      }
      group.add(look);
      windows.add(window);
    }
    if (!group.isEmpty()) {
      groups.add(new Group(group, new SharedList(adapter, windows, aloneMax)));
    }
    return groups;
  }

  /** Sorted by their beginning: the first begins first. */
  private static boolean together(List<Window> windows, Window next) {
    Instant from = windows.getFirst().from();
    Instant to = windows.stream().map(Window::to).max(Instant::compareTo).orElseThrow();
    Instant end = to.isAfter(next.to()) ? to : next.to();
    Duration longest = Duration.between(next.from(), next.to());
    Duration most = longest.compareTo(SPAN_MAX) > 0 ? longest.plus(SPAN_MAX) : SPAN_MAX;
    return Duration.between(from, end).compareTo(most) <= 0;
  }

  @Override
  public LookupResult list(Instant from, Instant to) {
    LookupResult common = shared ? once() : null;
    if (common instanceof LookupResult.Candidates(List<Candidate> tasks, boolean complete)
        && complete) {
      List<Candidate> mine =
          tasks.stream()
              .filter(task -> !task.createdAt().isBefore(from) && !task.createdAt().isAfter(to))
              .toList();
      return new LookupResult.Candidates(mine, true);
    }
    Optional<LookupResult> tried =
        common instanceof LookupResult.Unavailable ? probe(from, to) : Optional.empty();
    if (tried.isPresent()) {
      return tried.get();
    }
    alone.acquireUninterruptibly();
    try {
      return adapter.list(from, to);
    } finally {
      alone.release();
    }
  }

  /**
   * One look's own question after the common one got nothing: was that one too long, or is the
   * provider away?
   *
   * @return what the look has by it; empty if it may ask for itself
   */
  private synchronized Optional<LookupResult> probe(Instant from, Instant to) {
    if (probed == null) {
      probed = adapter.list(from, to);
      return Optional.of(probed);
    }
    return probed instanceof LookupResult.Unavailable ? Optional.of(probed) : Optional.empty();
  }

  private synchronized LookupResult once() {
    if (answer == null) {
      answer = adapter.list(all.from(), all.to());
    }
    return answer;
  }
}
