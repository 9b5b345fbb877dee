package dev.tollgate.worker.intake;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What intake writes beside each offset that it commits: by which history of the database the
 * records before it are durable. Kafka keeps it as a text. Immutable.
 *
 * @param history by whose account
 * @param ahead how many more records may have been durable when the offset was committed
 * @param doubt null, or what of the log is still to be read of which that holds in another history
 */
record OffsetMark(UUID history, int ahead, @Nullable Doubt doubt) {
  private static final Pattern TEXT =
      Pattern.compile(
          "tollgate history=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ahead=(\\d{1,9})"
              + "(?: before=(\\d{1,18}) then=(\\d{1,9}) since=(-|\\d{1,15}))?");

  /**
   * Records that were durable in a history which is lost, and may not be in this one.
   *
   * @param before all below this offset
   * @param then and so many of those that follow
   * @param since the earliest moment at which one of them may have been sent; null where only their
   *     own time tells
   */
  record Doubt(long before, int then, @Nullable Instant since) {}

  /** What was written with an offset; nothing where somebody else set the offset. */
  static Optional<OffsetMark> parse(@Nullable String metadata) {
    Matcher text = TEXT.matcher(metadata == null ? "" : metadata);
    if (!text.matches()) {
      return Optional.empty();
    }
    Doubt doubt =
        text.group(3) == null
            ? null
            : new Doubt(
                Long.parseLong(text.group(3)),
                Integer.parseInt(text.group(4)),
                text.group(5).equals("-")
                    ? null
                    : Instant.ofEpochMilli(Long.parseLong(text.group(5))));
    return Optional.of(
        new OffsetMark(UUID.fromString(text.group(1)), Integer.parseInt(text.group(2)), doubt));
  }

  String text() {
    String text = "tollgate history=%s ahead=%d".formatted(history, ahead);
    return doubt == null
        ? text
        : text
            + String.format(
                Locale.ROOT,
                " before=%d then=%d since=%s",
                doubt.before,
                doubt.then,
                doubt.since == null ? "-" : Long.toString(doubt.since.toEpochMilli()));
  }
}
