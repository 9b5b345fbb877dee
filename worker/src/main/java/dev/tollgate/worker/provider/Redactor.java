package dev.tollgate.worker.provider;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes known secrets out of bytes: as they are, URL-encoded, and inside base64 (of both alphabets,
 * at each of the three offsets that a secret can have in what was encoded). Immutable.
 *
 * <p>A secret that a cut left incomplete at the end of a body is taken out too, from {@value
 * #PREFIX_MIN} bytes on.
 */
public final class Redactor {
  private static final byte[] MARK = "[redacted]".getBytes(StandardCharsets.US_ASCII);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int PREFIX_MIN = 6;

  /** Shorter stretches of base64 would match by chance. */
  private static final int BASE64_MIN = 6;

  private final List<Pattern> patterns;

  private Redactor(List<Pattern> patterns) {
    this.patterns = patterns;
  }

  /** A form of a secret, masked so that it does not lie in memory in clear. */
  private static final class Pattern {
    private final byte[] masked;
    private final byte[] mask;

    private Pattern(byte[] masked, byte[] mask) {
      this.masked = masked;
      this.mask = mask;
    }

    static Pattern of(byte[] clear) {
      byte[] mask = new byte[clear.length];
      RANDOM.nextBytes(mask);
      byte[] masked = clear.clone();
      for (int i = 0; i < masked.length; i++) {
        masked[i] ^= mask[i];
      }
      return new Pattern(masked, mask);
    }

    byte at(int index) {
      return (byte) (masked[index] ^ mask[index]);
    }

    int length() {
      return masked.length;
    }
  }

  public static Redactor of(List<Secret> secrets) {
    Set<String> forms = new LinkedHashSet<>();
    for (Secret secret : secrets) {
      String text = secret.reveal();
      forms.add(text);
      forms.add(URLEncoder.encode(text, StandardCharsets.UTF_8));
      forms.add(text.replace("/", "\\/")); // as some JSON writers have it
      addBase64(forms, text);
    }
    return new Redactor(
        forms.stream()
            .sorted(Comparator.comparingInt(String::length).reversed()) // the longest form wins
            .map(form -> Pattern.of(form.getBytes(StandardCharsets.UTF_8)))
            .toList());
  }

  /**
   * A copy without secrets.
   *
   * @param cut whether the end may run through a secret
   */
  public byte[] redact(byte[] bytes, boolean cut) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    int at = 0;
    while (at < bytes.length) {
      int matched = matchAt(bytes, at, cut);
      if (matched == 0) {
        out.write(bytes[at]);
        at++;
      } else {
        out.writeBytes(MARK);
        at += matched;
      }
    }
    return out.toByteArray();
  }

  /** A copy without secrets. */
  public String redact(String text) {
    return new String(redact(text.getBytes(StandardCharsets.UTF_8), false), StandardCharsets.UTF_8);
  }

  /** How many bytes from {@code at} are a secret, or all that a cut left of one; 0 if none. */
  private int matchAt(byte[] bytes, int at, boolean cut) {
    for (Pattern pattern : patterns) {
      if (bytes[at] != pattern.at(0)) {
        continue;
      }
      int same = 1;
      int most = Math.min(pattern.length(), bytes.length - at);
      while (same < most && bytes[at + same] == pattern.at(same)) {
        same++;
      }
      boolean cutOff = cut && same == bytes.length - at && same >= PREFIX_MIN;
      if (same == pattern.length() || cutOff) {
        return same;
      }
    }
    return 0;
  }

  /**
   * The base64 characters that depend on the secret alone, whatever stands before and behind it.
   * The first and last characters of a stretch mix in bits of its neighbours and are left out.
   */
  private static void addBase64(Set<String> forms, String text) {
    byte[] secret = text.getBytes(StandardCharsets.UTF_8);
    for (int offset = 0; offset < 3; offset++) {
      byte[] shifted = new byte[offset + secret.length];
      System.arraycopy(secret, 0, shifted, offset, secret.length);
      int from = (offset * 8 + 5) / 6;
      int to = shifted.length * 8 / 6;
      for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
        String encoded = encoder.encodeToString(shifted);
        if (to - from >= BASE64_MIN) {
          forms.add(encoded.substring(from, to));
        }
      }
    }
    forms.add(Base64.getEncoder().encodeToString(secret));
    forms.add(Base64.getUrlEncoder().encodeToString(secret));
  }
}
