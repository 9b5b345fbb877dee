package dev.tollgate.worker.provider.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tollgate.worker.provider.Secret;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * HMAC-SHA256 of the body, or of a time and the body, in one header. Without a time in what is
 * signed, an event is as good years later: then its id alone keeps it from counting twice.
 */
public final class HmacSignature implements SignatureCheck {
  private static final int HEADER_MAX = 512;

  private final Form form;
  private final Supplier<List<Secret>> keys;

  /**
   * How it is written.
   *
   * @param header of the signature
   * @param prefix that stands before it, such as {@code sha256=}; may be empty
   * @param encoding {@code hex} or {@code base64}
   * @param timeHeader of the seconds that are signed with the body, {@code seconds.body}
   * @param tolerance how far those may be away from now
   */
  public record Form(
      String header,
      String prefix,
      String encoding,
      Optional<String> timeHeader,
      Duration tolerance) {}

  /**
   * @param keys their text is the key; asked for each request
   */
  public HmacSignature(Form form, Supplier<List<Secret>> keys) {
    this.form = form;
    this.keys = keys;
  }

  @Override
  public Outcome check(Map<String, String> headers, byte[] body, Instant now) {
    String text = headers.getOrDefault(form.header().toLowerCase(Locale.ROOT), "");
    if (text.length() > HEADER_MAX || !text.startsWith(form.prefix())) {
      return new Outcome.Forged("no usable signature");
    }
    byte[] head = {};
    if (form.timeHeader().isPresent()) {
      String time = headers.get(form.timeHeader().get().toLowerCase(Locale.ROOT));
      Optional<String> late = SignedTime.fault(time, now, form.tolerance());
      if (late.isPresent()) {
        return new Outcome.Forged(late.get());
      }
      head = (time + ".").getBytes(UTF_8);
    }
    Optional<byte[]> signature =
        Encoded.of(form.encoding()).read(text.substring(form.prefix().length()));
    boolean genuine = false;
    for (Secret key : keys.get()) {
      byte[] expected = Macs.of(key.reveal().getBytes(UTF_8), head, body);
      genuine |= MessageDigest.isEqual(expected, signature.orElse(new byte[0]));
    }
    return genuine ? new Outcome.Genuine() : new Outcome.Forged("no signature fits");
  }
}
