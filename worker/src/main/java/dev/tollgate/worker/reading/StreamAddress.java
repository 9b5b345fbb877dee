package dev.tollgate.worker.reading;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.worker.provider.signature.Macs;
import java.net.URI;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address at which one operation's stream is read: {@code /operations/{key}/stream/{mac}}. The
 * mac is an HMAC under the installation's secret: whoever has the address may read that stream, and
 * no other.
 *
 * @param mac 32 hexadecimal digits
 */
public record StreamAddress(OperationKey key, String mac) {
  private static final int BYTES = 16;

  /** Ends in what no provider's name holds, so no submission key is made of equal bytes. */
  private static final String PURPOSE = "stream\n";

  /** Whoever ends TLS may leave the path of the public address as it is. */
  private static final Pattern PATH =
      Pattern.compile(
          "(?:/[A-Za-z0-9_-]{1,64}){0,8}/operations/([a-z][a-z0-9_-]{0,23})(?::|%3[Aa])([0-9a-f]{64})"
              + "/stream/([0-9a-f]{32})");

  /** The address of an operation. */
  public static StreamAddress of(byte[] secret, OperationKey key) {
    byte[] full = Macs.of(secret, (PURPOSE + key).getBytes(UTF_8));
    return new StreamAddress(key, HexFormat.of().formatHex(Arrays.copyOf(full, BYTES)));
  }

  /** The address that somebody asks for. */
  static Optional<StreamAddress> ofPath(String path) {
    Matcher matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      OperationKey key = OperationKey.parse(matcher.group(1) + ":" + matcher.group(2));
      return Optional.of(new StreamAddress(key, matcher.group(3)));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** Whether it was made under this secret; takes as long wherever the first difference is. */
  boolean isGenuine(byte[] secret) {
    return MessageDigest.isEqual(of(secret, key).mac.getBytes(US_ASCII), mac.getBytes(US_ASCII));
  }

  /** The path, from the first slash on. */
  public String path() {
    return "/operations/%s/stream/%s".formatted(key, mac);
  }

  /** The whole address, below the public one. */
  public String below(URI base) {
    return base.toString().replaceAll("/+$", "") + path();
  }
}
