package dev.tollgate.cli.dlt;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a dead letter lies in its topic; written {@code PARTITION@OFFSET}. */
public record Place(int partition, long offset) implements Comparable<Place> {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})@([0-9]{1,18})");

  /**
   * The place that a text names.
   *
   * @throws IllegalArgumentException if it names none
   */
  public static Place parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not a place: " + text + " (PARTITION@OFFSET, such as 3@120)");
    }
    return new Place(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
  }

  @Override
  public int compareTo(Place other) {
    int order = Integer.compare(partition, other.partition);
    return order == 0 ? Long.compare(offset, other.offset) : order;
  }

  @Override
  public String toString() {
    return partition + "@" + offset;
  }
}
