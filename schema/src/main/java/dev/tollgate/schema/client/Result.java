package dev.tollgate.schema.client;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.key.OperationKey;
import org.jspecify.annotations.Nullable;

/** What became of a request, for good. Immutable. */
public sealed interface Result {
  /** The operation that was asked for. */
  OperationKey key();

  /**
   * The output is stored.
   *
   * @param output where it lies, and what it is
   * @param event the whole event, with price and production task
   */
  record Completed(ResultEvent.Output output, ResultEvent event) implements Result {
    @Override
    public OperationKey key() {
      return event.key();
    }
  }

  /**
   * There will be no output of this operation. Another try is another generation.
   *
   * @param event the whole event
   */
  record Failed(ResultEvent event) implements Result {
    @Override
    public OperationKey key() {
      return event.key();
    }

    /** Why; null where the code is of a later build. */
    public @Nullable Code code() {
      return event.code();
    }

    /** Why, in words for people; null where there are none. */
    public @Nullable String reason() {
      return event.details().reason();
    }
  }

  /**
   * The request was not taken in: nothing was sent for it, and nothing will be unless its dead
   * letter is replayed.
   *
   * @param code why; null where the code is of a later build
   * @param message why, in words for people
   */
  record Refused(OperationKey key, @Nullable Code code, String message) implements Result {}
}
