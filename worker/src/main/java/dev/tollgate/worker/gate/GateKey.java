package dev.tollgate.worker.gate;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * An operation key together with the hash of the request that came under it.
 *
 * <p>Immutable by convention: the arrays are neither copied in nor out, since there is one instance
 * for each message. Whoever passes an array gives it away; nobody changes what they read here.
 */
public final class GateKey {

  /** Length of a request hash (SHA-256). */
  public static final int REQUEST_HASH_BYTES = 32;

  private final byte[] key;
  private final byte[] requestHash;

  /**
   * @param key the operation key's bytes; any bytes and any number of them are safe
   * @param requestHash the 32 bytes of the SHA-256 over the canonical submission parameters
   */
  public GateKey(byte[] key, byte[] requestHash) {
    if (requestHash.length != REQUEST_HASH_BYTES) {
      throw new IllegalArgumentException(
          "a request hash has %d bytes, this one has %d"
              .formatted(REQUEST_HASH_BYTES, requestHash.length));
    }
    this.key = key;
    this.requestHash = requestHash;
  }

  /** The operation key's bytes, not to be changed. */
  public byte[] key() {
    return key;
  }

  /** The request hash's bytes, not to be changed. */
  public byte[] requestHash() {
    return requestHash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GateKey that
        && Arrays.equals(key, that.key)
        && Arrays.equals(requestHash, that.requestHash);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(key) + Arrays.hashCode(requestHash);
  }

  @Override
  public String toString() {
    return "GateKey[" + HexFormat.of().formatHex(key) + "]";
  }
}
