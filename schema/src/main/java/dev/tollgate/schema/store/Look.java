package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The right to find out what became of one unknown operation, for the length of a lease.
 *
 * @param looks looks begun, this one included
 * @param firstBegan when the first attempt began, by the database's clock
 * @param lastBegan when the newest attempt began
 * @param absentAfter the horizon of the newest attempt
 * @param now the database's clock in the statement that claimed
 * @param params canonical JSON as UTF-8
 * @param seq where its rows lie: the offset of the record that brought it
 * @param carried by what a task can be found whichever attempt created it, see {@link
 *     Terms#carries}
 * @param sentTo where the attempts went that may have created something, see {@link Terms#sendsTo};
 *     absent if not all to one place
 * @param lost how many attempts may have created something
 * @param price in millionths of the configured currency; null where nobody knew
 * @param deadline the producer's; null where it gave none
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Look(
    OperationKey key,
    String provider,
    int fence,
    UUID claim,
    int attempts,
    int looks,
    Instant firstBegan,
    Instant lastBegan,
    Instant absentAfter,
    Instant now,
    byte[] params,
    byte[] submissionKey,
    long seq,
    int carried,
    OptionalLong sentTo,
    int lost,
    @Nullable Long price,
    @Nullable Instant deadline) {

  /** Whether "not found" proves that no task exists. */
  public boolean pastHorizon() {
    return now.isAfter(absentAfter);
  }
}
