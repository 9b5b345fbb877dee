package dev.tollgate.worker.provider.described;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tollgate.worker.provider.signature.Macs;
import java.net.URI;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The addresses at which providers report single operations: {@code
 * /callbacks/{provider}/{operation}/{mac}}. The mac is an HMAC of both under a key that the
 * installation's secret gives: whoever has an address had it from us. The submission key would not
 * do, since providers and operators read it. The same operation has the same address for ever, as a
 * protected resend has to be the same request. Immutable.
 */
public final class CallbackAddresses {
  private static final int BYTES = 16;

  /** Ends in what no provider's name holds, so no submission key is made of equal bytes. */
  private static final String PURPOSE = "callback\n";

  private final byte[] key;

  /**
   * Those of one installation.
   *
   * @param secret the installation's
   */
  public CallbackAddresses(byte[] secret) {
    this.key = Macs.of(secret, PURPOSE.getBytes(UTF_8));
  }

  /** The address for an operation at a provider, below {@code base}. */
  public String of(URI base, String provider, String operation) {
    String root = base.toString().replaceAll("/+$", "");
    return "%s/callbacks/%s/%s/%s".formatted(root, provider, operation, mac(provider, operation));
  }

  /** The last part of the address: 32 hexadecimal digits. */
  public String mac(String provider, String operation) {
    byte[] full = Macs.of(key, (provider + "\n" + operation).getBytes(UTF_8));
    return HexFormat.of().formatHex(Arrays.copyOf(full, BYTES));
  }
}
