package dev.tollgate.worker.provider.signature;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256. Stateless. */
public final class Macs {
  private static final String ALGORITHM = "HmacSHA256";

  private Macs() {}

  /** Under a key, of parts that follow each other. */
  public static byte[] of(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has " + ALGORITHM, e);
    }
  }
}
