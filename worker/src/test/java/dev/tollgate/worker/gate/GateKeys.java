package dev.tollgate.worker.gate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.stream.IntStream;

/** Keys for tests. */
final class GateKeys {

  private GateKeys() {}

  /** A key of these bytes under a request hash that depends on nothing else. */
  static GateKey key(String text) {
    return key(text, "request of " + text);
  }

  static GateKey key(String text, String request) {
    return new GateKey(text.getBytes(UTF_8), sha256(request));
  }

  static List<GateKey> keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> key("operation-" + i)).toList();
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
