package dev.tollgate.worker.provider.signature;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;

/** A public key of Ed25519. Immutable. */
final class Ed25519 {
  private static final String ALGORITHM = "Ed25519";
  private static final int KEY_BYTES = 32;

  /** What stands before the key's own bytes in its X.509 form (RFC 8410). */
  private static final byte[] PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private final PublicKey key;

  private Ed25519(PublicKey key) {
    this.key = key;
  }

  /**
   * The key that these 32 bytes are.
   *
   * @throws IllegalArgumentException if they are none
   */
  static Ed25519 of(byte[] raw) {
    if (raw.length != KEY_BYTES) {
      throw new IllegalArgumentException("an Ed25519 key has 32 bytes");
    }
    byte[] encoded = new byte[PREFIX.length + KEY_BYTES];
    System.arraycopy(PREFIX, 0, encoded, 0, PREFIX.length);
    System.arraycopy(raw, 0, encoded, PREFIX.length, KEY_BYTES);
    try {
      return new Ed25519(
          KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded)));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("no Ed25519 key", e);
    }
  }

  boolean signed(byte[] signature, byte[]... parts) {
    try {
      Signature check = Signature.getInstance(ALGORITHM);
      check.initVerify(key);
      for (byte[] part : parts) {
        check.update(part);
      }
      return check.verify(signature);
    } catch (SignatureException _) {
      return false; // of another form than a signature
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has " + ALGORITHM, e);
    }
  }
}
