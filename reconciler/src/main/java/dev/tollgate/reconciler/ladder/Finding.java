package dev.tollgate.reconciler.ladder;

import java.util.List;

/**
 * What a look at an unknown operation came to. Notes are for people: they name what was asked and
 * what was seen.
 */
public sealed interface Finding {
  String note();

  /**
   * The remote task.
   *
   * @param extras further tasks that carry this operation's own reference: it was created, and is
   *     paid, more than once
   */
  record Found(String remoteId, String note, List<String> extras) implements Finding {
    public Found {
      extras = List.copyOf(extras);
    }

    public Found(String remoteId, String note) {
      this(remoteId, note, List.of());
    }
  }

  /** No task exists, and none will come into being. */
  record Absent(String note) implements Finding {}

  /** Nothing is known, but sending again under the same key is safe by the provider's promise. */
  record Resend(String note) implements Finding {}

  /** Several tasks fit, or the one that fits could be another operation's. */
  record Ambiguous(String note) implements Finding {}

  /** Nobody can be asked. */
  record NoWay(String note) implements Finding {}

  /**
   * Nobody can be asked as things are configured now. That can be mended, so no policy speaks for
   * it: a person decides.
   */
  record Misplaced(String note) implements Finding {}

  /** Nothing proved yet. */
  record Undecided(String note) implements Finding {}
}
