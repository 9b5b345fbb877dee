package dev.tollgate.worker.provider;

import dev.tollgate.schema.key.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Where a provider's creates go, and how they look there. Whoever is at another place knows nothing
 * of tasks that were created here; whoever reads in another way may not find them. Immutable.
 *
 * @param place the address, the settings and the account, for people too
 * @param form what speaks there
 */
public record SendsTo(String place, String form) {
  /** As stored with each attempt: the place's digest in the upper half, the form's in the lower. */
  public long digest() {
    return (long) digest(place) << Integer.SIZE | Integer.toUnsignedLong(digest(form));
  }

  /** Whether what was sent under a digest is at this place, however it looked. */
  public boolean isPlaceOf(long sentTo) {
    return (int) (sentTo >> Integer.SIZE) == digest(place);
  }

  private static int digest(String text) {
    return ByteBuffer.wrap(Sha256.of(text.getBytes(StandardCharsets.UTF_8)).bytes()).getInt();
  }

  @Override
  public String toString() {
    return form + " at " + place;
  }
}
