package dev.tollgate.worker.reading;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a reader goes on. Stateless. */
final class From {
  /** The id of the last event of a stream. */
  static final String END = "end";

  /** Says that the reader has the end already. */
  static final int OVER = -1;

  private static final Pattern AFTER = Pattern.compile("(?:^|&)after=([^&]*)");
  private static final Pattern OFFSET = Pattern.compile("0|[1-9][0-9]{0,9}");

  private From() {}

  /**
   * The first offset that the reader does not have, or {@link #OVER}; empty where what it says is
   * none that it can have had from here.
   *
   * @param lastEventIds its headers of that name: what a browser sends when it comes again, so it
   *     counts before the query, which stays as it was at first
   */
  static Optional<Integer> of(List<String> lastEventIds, String query) {
    if (lastEventIds.size() > 1) {
      return Optional.empty();
    }
    if (!lastEventIds.isEmpty() && !lastEventIds.getFirst().isEmpty()) {
      return after(lastEventIds.getFirst());
    }
    Matcher matcher = AFTER.matcher(query);
    if (!matcher.find()) {
      return Optional.of(0);
    }
    Optional<Integer> from = after(matcher.group(1));
    return matcher.find() ? Optional.empty() : from;
  }

  private static Optional<Integer> after(String id) {
    if (id.equals(END)) {
      return Optional.of(OVER);
    }
    if (!OFFSET.matcher(id).matches()) {
      return Optional.empty();
    }
    long last = Long.parseLong(id);
    return last < Integer.MAX_VALUE ? Optional.of((int) last + 1) : Optional.empty();
  }
}
