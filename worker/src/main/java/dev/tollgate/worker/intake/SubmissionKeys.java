package dev.tollgate.worker.intake;

import dev.tollgate.schema.key.OperationKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes the key that a provider gets as idempotency key or client reference: an HMAC of provider
 * and operation key under the installation's secret. Nobody outside can guess it, two providers
 * never get the same one, and an intent that was lost and comes back from the log gets the one it
 * had. Confined to one thread.
 */
public final class SubmissionKeys {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 16;

  private final Mac mac;

  public SubmissionKeys(byte[] secret) {
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has " + ALGORITHM, e);
    }
  }

  /** The 16 bytes for an operation at a provider. */
  public byte[] of(String provider, OperationKey key) {
    mac.update(provider.getBytes(StandardCharsets.UTF_8));
    mac.update((byte) 0);
    return Arrays.copyOf(mac.doFinal(key.bytes()), BYTES);
  }
}
