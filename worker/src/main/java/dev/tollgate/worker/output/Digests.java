package dev.tollgate.worker.output;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of what can be read. */
final class Digests {
  private static final int BUFFER = 64 * 1024;

  private Digests() {}

  /**
   * What was read.
   *
   * @param sha256 64 lower-case hex digits
   * @param length in bytes
   */
  record Digest(String sha256, long length) {}

  /** Reads to the end; closing is the caller's. */
  static Digest of(InputStream in) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER];
    long length = 0;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      digest.update(buffer, 0, n);
      length += n;
    }
    return new Digest(HexFormat.of().formatHex(digest.digest()), length);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
