package dev.tollgate.worker.provider;

import java.util.List;

/** What a look-up showed. */
public sealed interface LookupResult {
  /**
   * The tasks that were seen.
   *
   * @param candidates in the provider's order
   * @param complete whether this is all there was to see. If not (a page failed, the page limit was
   *     reached, an entry was unreadable) absence may not be concluded
   */
  record Candidates(List<Candidate> candidates, boolean complete) implements LookupResult {
    public Candidates {
      candidates = List.copyOf(candidates);
    }
  }

  /** Nothing usable came; ask again later. */
  record Unavailable(String reason) implements LookupResult {}

  /** This provider has no such look-up. */
  record NotSupported() implements LookupResult {}
}
