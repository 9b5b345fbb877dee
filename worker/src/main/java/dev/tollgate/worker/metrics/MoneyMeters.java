package dev.tollgate.worker.metrics;

import org.jspecify.annotations.Nullable;

/**
 * Counts money, in the configured currency, at the prices that were known. Thread-safe.
 *
 * <p><b>Spent</b> is the price of each operation that ended with a remote task: complete, or failed
 * after the provider had taken it, which is what a budget keeps booked as well. It is counted once,
 * when its end is told, and again only if the process died between telling and forgetting. Extra
 * tasks of one operation are not in it: {@link Meter#DUPLICATE_TASKS} counts those.
 *
 * <p><b>Saved</b> is the price of each send that a consumer which repeats what it is not sure of
 * would have made, and that was not made since the answer was on record:
 *
 * <ul>
 *   <li>{@code found}: the operation was unknown, and its task was found. Who retries after a
 *       timeout pays for a second task here. The surest part.
 *   <li>{@code duplicate}: the log handed out the intent once more (redelivered, published twice,
 *       replayed), and the operation was stored before. Who sends for each record that it reads
 *       pays here. Reading a topic again from its beginning counts each record: that is what it
 *       would have cost, and no sum to show to an accountant.
 * </ul>
 *
 * <p>What was proved absent or sent again under a promise is not saved: it had to be sent. Prices
 * of duplicates are today's, those of the others are on record.
 */
public final class MoneyMeters {
  private static final double MICROS = 1e6;

  private final Meters meters;

  MoneyMeters(Meters meters) {
    this.meters = meters;
  }

  /**
   * An operation ended with a remote task.
   *
   * @param state the word of the state it ended in
   * @param micros its price in millionths; null where nobody knew
   */
  public void spent(String provider, String state, @Nullable Long micros) {
    if (micros == null) {
      meters.count(Meter.UNPRICED, 1, "provider", provider, "of", "spent");
    } else {
      meters.size(Meter.SPENT, micros / MICROS, "provider", provider, "state", state);
    }
  }

  /**
   * A send was not made.
   *
   * @param why {@code found} or {@code duplicate}
   * @param micros its price in millionths; null where nobody knew
   */
  public void saved(String provider, String why, @Nullable Long micros) {
    if (micros == null) {
      meters.count(Meter.UNPRICED, 1, "provider", provider, "of", "saved");
    } else {
      meters.add(Meter.SAVED, micros / MICROS, "provider", provider, "why", why);
    }
  }
}
