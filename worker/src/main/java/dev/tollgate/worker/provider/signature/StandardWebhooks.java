package dev.tollgate.worker.provider.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tollgate.worker.provider.Secret;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Standard Webhooks 1.0.0 (https://github.com/standard-webhooks/standard-webhooks): {@code
 * id.timestamp.body} under HMAC-SHA256, {@code v1}, or Ed25519, {@code v1a}; several signatures in
 * a header and several keys here, for rotation.
 */
public final class StandardWebhooks implements SignatureCheck {
  private static final String SECRET = "whsec_";
  private static final String PUBLIC_KEY = "whpk_";
  private static final int ID_MAX = 256;
  private static final int SIGNATURES_MAX = 16;
  private static final int HEADER_MAX = 4096;

  private final Supplier<List<Secret>> keys;

  /**
   * @param keys each {@code whsec_...} or {@code whpk_...}; asked for each request
   */
  public StandardWebhooks(Supplier<List<Secret>> keys) {
    this.keys = keys;
  }

  @Override
  public Outcome check(Map<String, String> headers, byte[] body, Instant now) {
    String id = headers.getOrDefault("webhook-id", "");
    String time = headers.getOrDefault("webhook-timestamp", "");
    String signatures = headers.getOrDefault("webhook-signature", "");
    // a full stop would let the id reach into what follows it
    if (id.isEmpty() || id.length() > ID_MAX || id.contains(".")) {
      return new Outcome.Forged("no usable webhook-id");
    }
    Optional<String> late = SignedTime.fault(time, now, SignedTime.TOLERANCE);
    if (late.isPresent()) {
      return new Outcome.Forged(late.get());
    }
    String[] list = signatures.split(" ", SIGNATURES_MAX + 2);
    if (signatures.isEmpty() || signatures.length() > HEADER_MAX || list.length > SIGNATURES_MAX) {
      return new Outcome.Forged("no signature, or too many");
    }
    byte[] head = (id + "." + time + ".").getBytes(UTF_8);
    List<byte[]> v1 = of(list, "v1,");
    List<byte[]> v1a = of(list, "v1a,");
    boolean genuine = false;
    try {
      for (Secret key : keys.get()) {
        genuine |= signedBy(key.reveal(), head, body, v1, v1a);
      }
    } catch (IllegalArgumentException e) {
      return new Outcome.CannotTell("a webhook secret cannot be used: " + e.getMessage());
    }
    return genuine ? new Outcome.Genuine() : new Outcome.Forged("no signature fits");
  }

  private static List<byte[]> of(String[] list, String version) {
    List<byte[]> signatures = new ArrayList<>();
    for (String signature : list) {
      if (signature.startsWith(version)) {
        Encoded.BASE64.read(signature.substring(version.length())).ifPresent(signatures::add);
      }
    }
    return signatures;
  }

  private static boolean signedBy(
      String key, byte[] head, byte[] body, List<byte[]> v1, List<byte[]> v1a) {
    if (key.startsWith(PUBLIC_KEY)) {
      Ed25519 publicKey = Ed25519.of(decode(key.substring(PUBLIC_KEY.length())));
      return v1a.stream().anyMatch(signature -> publicKey.signed(signature, head, body));
    }
    byte[] secret = decode(key.startsWith(SECRET) ? key.substring(SECRET.length()) : key);
    if (secret.length < 24 || secret.length > 64) {
      throw new IllegalArgumentException("it has not 24 to 64 bytes");
    }
    byte[] expected = Macs.of(secret, head, body);
    boolean genuine = false;
    for (byte[] signature : v1) {
      genuine |= MessageDigest.isEqual(expected, signature);
    }
    return genuine;
  }

  private static byte[] decode(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException _) {
      // its message may hold a part of the secret
      throw new IllegalArgumentException("it is no base64");
    }
  }
}
