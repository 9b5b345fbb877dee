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

  /**
   * Nothing usable came; ask again later.
   *
   * @param answered whether the provider itself answered, in its own error shape, something of
   *     which no document says what it means: asking for ever will not change that
   */
  record Unavailable(String reason, boolean answered) implements LookupResult {
    /** Of a provider that could not be asked. */
    public Unavailable(String reason) {
      this(reason, false);
    }
  }

  /** This provider has no such look-up. */
  record NotSupported() implements LookupResult {}
}
