package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which operations to list. Immutable.
 *
 * @param states empty for all
 * @param provider absent for all
 * @param reviewOnly only those that wait for a person's decision
 * @param limit 1 to {@value #LIMIT_MAX}
 * @param after where the page before ended; absent for the first page
 */
public record OperationFilter(
    Set<OperationState> states,
    @Nullable String provider,
    boolean reviewOnly,
    int limit,
    @Nullable Cursor after) {
  /** Most operations of one page. */
  public static final int LIMIT_MAX = 1000;

  /**
   * A place in the order of operations, newest change first. Its text form is {@code
   * <instant>/<key>}.
   */
  public record Cursor(Instant changedAt, OperationKey key) {
    @Override
    public String toString() {
      return changedAt + "/" + key;
    }

    /**
     * The cursor that a text form names.
     *
     * @throws IllegalArgumentException if the text is not a cursor's text form
     */
    public static Cursor parse(String text) {
      int slash = text.indexOf('/');
      try {
        return new Cursor(
            Instant.parse(text.substring(0, Math.max(slash, 0))),
            OperationKey.parse(text.substring(slash + 1)));
      } catch (RuntimeException e) {
        throw new IllegalArgumentException("a cursor is <instant>/<operation key>", e);
      }
    }
  }

  public OperationFilter {
    states = Set.copyOf(states);
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit must be 1 to " + LIMIT_MAX + ", not " + limit);
    }
  }

  /** The first page of everything. */
  public static OperationFilter all(int limit) {
    return new OperationFilter(Set.of(), null, false, limit, null);
  }

  /** The same, from where a page ended. */
  public OperationFilter after(Cursor cursor) {
    return new OperationFilter(states, provider, reviewOnly, limit, cursor);
  }
}
