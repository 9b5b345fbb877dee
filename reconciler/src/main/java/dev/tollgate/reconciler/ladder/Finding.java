package dev.tollgate.reconciler.ladder;

import java.time.Instant;
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

  /**
   * Several tasks fit, or the one that fits could be another operation's.
   *
   * @param shown the tasks of the list between which a person has to choose; empty where no list
   *     was asked for
   */
  record Ambiguous(String note, List<Shown> shown) implements Finding {
    public Ambiguous {
      shown = List.copyOf(shown);
    }

    public Ambiguous(String note) {
      this(note, List.of());
    }
  }

  /**
   * A task as a list showed it, beside others. Its input is not kept: it may hold what a producer
   * would not want shown.
   *
   * @param createdAt by the provider's clock
   * @param input {@code same} as what was asked for, {@code other}, or {@code not shown}
   * @param whose {@code taken} by another operation or another's reference, else {@code free}
   */
  record Shown(String remoteId, Instant createdAt, String input, String whose) {}

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
