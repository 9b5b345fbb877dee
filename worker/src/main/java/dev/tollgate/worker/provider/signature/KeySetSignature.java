package dev.tollgate.worker.provider.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tollgate.schema.key.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Ed25519 under a key of a published set, over lines: the values of some headers, the time among
 * them, and the body's SHA-256 in hexadecimal (as fal signs).
 */
public final class KeySetSignature implements SignatureCheck {
  private static final int HEADER_MAX = 512;

  private final Form form;
  private final KeySet keys;

  /**
   * How it is written.
   *
   * @param header of the signature
   * @param encoding {@code hex} or {@code base64}
   * @param lines headers whose values are signed, in their order
   * @param timeHeader the one of them that is the time
   * @param tolerance how far that may be away from now
   */
  public record Form(
      String header, String encoding, List<String> lines, String timeHeader, Duration tolerance) {}

  public KeySetSignature(Form form, KeySet keys) {
    this.form = form;
    this.keys = keys;
  }

  @Override
  public Outcome check(Map<String, String> headers, byte[] body, Instant now) {
    Optional<String> late =
        SignedTime.fault(
            headers.get(form.timeHeader().toLowerCase(Locale.ROOT)), now, form.tolerance());
    if (late.isPresent()) {
      return new Outcome.Forged(late.get());
    }
    StringBuilder signed = new StringBuilder();
    for (String line : form.lines()) {
      String value = headers.getOrDefault(line.toLowerCase(Locale.ROOT), "");
      if (value.isEmpty() || value.length() > HEADER_MAX) {
        return new Outcome.Forged("without a header that is signed");
      }
      signed.append(value).append('\n');
    }
    signed.append(Sha256.of(body));
    String text = headers.getOrDefault(form.header().toLowerCase(Locale.ROOT), "");
    Optional<byte[]> signature =
        text.length() > HEADER_MAX ? Optional.empty() : Encoded.of(form.encoding()).read(text);
    if (signature.isEmpty()) {
      return new Outcome.Forged("no usable signature");
    }
    byte[] message = signed.toString().getBytes(UTF_8);
    return switch (keys.signed(signature.get(), message)) {
      case YES -> new Outcome.Genuine();
      case NO -> new Outcome.Forged("no signature fits");
      case UNKNOWN -> new Outcome.CannotTell("the key set cannot be fetched");
    };
  }
}
