package dev.tollgate.loadtest.audit;

import dev.tollgate.loadtest.sandbox.Ledger;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.StoredOutput;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that an audit rests on. Immutable.
 *
 * @param intended what producers asked for
 * @param requested keys of the records in the requests topic
 * @param deadLetters records of the dead-letter topics, in the order of their topics
 * @param events records of the events topic, repeats included
 * @param operations what the database holds
 * @param earlier the generation before, of each operation that is a later one
 * @param chunks what is stored of streams, by operation, where there is any
 * @param published offsets of the records in the chunks topic, repeats once
 * @param unsent rows of the outboxes
 * @param files output files that lie in their place; unfinished downloads are not among them
 * @param ledger what the provider did
 */
public record Facts(
    List<Intended> intended,
    Set<OperationKey> requested,
    List<DeadLetter> deadLetters,
    List<ResultEvent> events,
    Map<OperationKey, Operation> operations,
    Map<OperationKey, OperationKey> earlier,
    Map<OperationKey, StoredChunks> chunks,
    Map<OperationKey, Set<Integer>> published,
    long unsent,
    Set<Path> files,
    Ledger ledger) {
  public Facts {
    intended = List.copyOf(intended);
    requested = Set.copyOf(requested);
    deadLetters = List.copyOf(deadLetters);
    events = List.copyOf(events);
    operations = Map.copyOf(operations);
    earlier = Map.copyOf(earlier);
    chunks = Map.copyOf(chunks);
    published = Map.copyOf(published);
    files = Set.copyOf(files);
  }

  /**
   * A dead letter.
   *
   * @param key the record's key, where it is an operation key
   * @param code why, as its header says
   */
  public record DeadLetter(@Nullable OperationKey key, String code) {}

  /**
   * The chunks of one operation.
   *
   * @param last the greatest offset
   * @param ended whether one of them is the provider's last word
   */
  public record StoredChunks(int count, int last, boolean ended) {}

  /**
   * One operation as stored.
   *
   * @param next role of its wake row; absent where it has none
   * @param attemptsCounted the operation's own count
   * @param attempts fences of its attempt rows, rising
   * @param evidence oldest first
   * @param owned remote ids that are stored as its own
   */
  public record Operation(
      OperationKey key,
      String provider,
      OperationState state,
      @Nullable String reason,
      @Nullable String review,
      @Nullable String remoteId,
      int fence,
      int version,
      int attemptsCounted,
      @Nullable String next,
      List<Integer> attempts,
      List<Seen> evidence,
      Set<String> owned,
      @Nullable StoredOutput output) {
    public Operation {
      attempts = List.copyOf(attempts);
      evidence = List.copyOf(evidence);
      owned = Set.copyOf(owned);
    }

    /** Whether some evidence has one of these codes. */
    boolean saw(Set<String> codes) {
      return evidence.stream().anyMatch(seen -> codes.contains(seen.code()));
    }

    /** Whether evidence or a stored id names a remote task. */
    boolean knows(String remoteTask) {
      return owned.contains(remoteTask)
          || remoteTask.equals(remoteId)
          || evidence.stream().anyMatch(seen -> remoteTask.equals(seen.remoteId()));
    }
  }

  /** One piece of evidence, as far as an audit needs it. */
  public record Seen(
      int fence, String source, String code, @Nullable String remoteId, @Nullable String note) {
    /** Whether a worker reported the end of an attempt (and not that it suspects something). */
    boolean endsAttempt() {
      return source.equals("submit") && !code.equals("SUSPECTED_DUPLICATE");
    }
  }
}
