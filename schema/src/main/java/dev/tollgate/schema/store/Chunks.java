package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What streams have brought so far. Each operation has one stream: offsets without a gap from 0, at
 * each offset one byte string for ever, and an end, which the last chunk carries. Each method is
 * one statement and one transaction. Thread-safe.
 *
 * <p>Every method may throw {@link StoreUnavailable}: then it may have happened or not, and may be
 * repeated.
 */
public interface Chunks {
  /**
   * The stream of an accepted operation.
   *
   * @param seq where its rows lie
   * @param remoteId its remote task: what another one sent is not stored
   */
  record Stream(OperationKey key, long seq, String remoteId) {}

  /**
   * One event of a stream.
   *
   * @param offset counts from 0
   * @param cursor the provider's own number of it, where it has one
   * @param text the text in it, as a JSON string in UTF-8; absent where it holds none
   * @param data the event's data: JSON in UTF-8, as it came
   * @param ends how the stream ends with it; absent where it goes on
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Chunk(
      int offset, @Nullable Long cursor, byte @Nullable [] text, byte[] data, @Nullable End ends) {}

  /** How a stream ended, by its provider's word. */
  enum End {
    SUCCEEDED,
    FAILED,
    CANCELLED;

    /** The name in events and in the database. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static @Nullable End ofWord(@Nullable String word) {
      return word == null ? null : valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** What became of chunks that were handed in. */
  enum Appended {
    /** They are all there, these or equal ones from before. */
    STORED,
    /** The operation is not accepted with this remote task: nothing was stored. */
    STALE,
    /** The stream had ended before them: what is beyond its end was not stored. */
    OVER,
    /** Other bytes stand at one of their offsets: nothing was stored. */
    CONFLICT,
    /** Chunks before them are missing: nothing was stored. */
    GAP,
    /** Somebody stored some of them at the same moment: to be handed in again. */
    AGAIN
  }

  /**
   * How far a stream has come.
   *
   * @param next the offset of the next chunk
   * @param cursor the provider's number of the last one, if it has one
   * @param end how it ended, if it did
   * @param quiet how long ago it brought something, or was accepted
   */
  record Standing(int next, @Nullable Long cursor, Optional<End> end, Duration quiet) {
    public static final Standing NONE = new Standing(0, null, Optional.empty(), Duration.ZERO);
  }

  /**
   * Stores chunks and what is to be published of them.
   *
   * @param chunks of each stream some, with consecutive offsets
   * @return for each stream what became of its chunks
   */
  Map<OperationKey, Appended> append(Map<Stream, List<Chunk>> chunks);

  /**
   * Says that somebody reads these streams, so that nobody else resumes them for {@code lease}.
   * Those whose rows somebody else changes at this moment are left out.
   */
  void renew(Collection<Stream> streams, Duration lease);

  /** Says that these streams are no longer read here: whoever resumes them may do so now. */
  void handOver(Collection<Stream> streams);

  /** How far streams have come; those without a chunk stand at {@link Standing#NONE}. */
  Map<OperationKey, Standing> standings(Collection<Stream> streams);

  /**
   * Where an operation's stream is.
   *
   * @return its {@code seq}; empty if there is no such operation
   */
  Optional<Long> place(OperationKey key);

  /**
   * What a reader asks for.
   *
   * @param from the offset of the first chunk that it does not have
   */
  record Wanted(OperationKey key, long seq, int from) {}

  /**
   * What is there for a reader, read at one moment: a page without chunks says that there are none.
   *
   * @param state the operation's state
   * @param reason its code
   * @param review why a person has to decide, if one has to
   * @param chunks in their order, without a gap from the first that was asked for
   */
  record Page(String state, @Nullable String reason, @Nullable String review, List<Chunk> chunks) {}

  /**
   * Reads for many readers at once.
   *
   * @param most chunks for each; fewer of large ones, but one at least
   * @return a page for each, in the order of {@code wanted}
   */
  List<Page> pages(List<Wanted> wanted, int most);

  /**
   * A chunk that is to be published.
   *
   * @param id of the row that says so
   */
  record Unpublished(long id, OperationKey key, Chunk chunk) {}

  /**
   * What is to be published, oldest first: about so many chunks, or fewer where they are large, at
   * least one whole row.
   */
  List<Unpublished> outbox(int atLeast);

  /** These rows are published. */
  void published(List<Long> ids);
}
