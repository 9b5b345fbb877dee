package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.util.List;

/**
 * What one sweep did.
 *
 * @param lost operations whose lease was over; they are {@code unknown} now
 * @param more whether the next sweep should follow at once: not all that is due was read
 */
public record Swept(List<OperationKey> lost, boolean more) {
  public Swept {
    lost = List.copyOf(lost);
  }
}
