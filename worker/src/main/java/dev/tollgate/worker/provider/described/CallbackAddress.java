package dev.tollgate.worker.provider.described;

import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.signature.Macs;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The address at which a provider reports one operation: {@code
 * /callbacks/{provider}/{operation}/{mac}}. The signature is an HMAC under the operation's
 * submission key, which only Tollgate and, where it is sent, the provider know. Stateless.
 */
public final class CallbackAddress {
  private static final int BYTES = 16;

  private CallbackAddress() {}

  /** The address for a submission, below {@code base}. */
  public static String of(URI base, String provider, Submission submission) {
    String root = base.toString().replaceAll("/+$", "");
    return "%s/callbacks/%s/%s/%s"
        .formatted(
            root,
            provider,
            submission.key(),
            signature(provider, submission.key(), submission.submissionKey()));
  }

  /** The last part of the address: 32 hexadecimal digits. */
  public static String signature(String provider, String operation, String submissionKey) {
    byte[] full =
        Macs.of(
            submissionKey.getBytes(StandardCharsets.US_ASCII),
            ("callback\n" + provider + "\n" + operation).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(Arrays.copyOf(full, BYTES));
  }
}
