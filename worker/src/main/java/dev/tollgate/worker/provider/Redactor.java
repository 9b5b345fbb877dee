package dev.tollgate.worker.provider;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes known secrets out of bytes: as they are, in hex, and inside base64 (of both alphabets, at
 * each of the three offsets that a secret can have in what was encoded); each of these however many
 * of its characters are percent-encoded or escaped as in JSON, up to three times over. Immutable.
 *
 * <p>A secret that a cut left incomplete at the end of a body is taken out too, from {@value
 * #PREFIX_MIN} characters on.
 */
public final class Redactor {
  private static final byte[] MARK = "[redacted]".getBytes(StandardCharsets.US_ASCII);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int PREFIX_MIN = 6;

  /** Shorter stretches of base64 would match by chance. */
  private static final int BASE64_MIN = 6;

  private static final Pattern[] NONE = {};

  /** By their first character, so that most places of a text need one look. */
  private final Pattern[][] patterns;

  private Redactor(Pattern[][] patterns) {
    this.patterns = patterns;
  }

  /** A form of a secret, masked so that it does not lie in memory in clear. */
  private static final class Pattern {
    private final byte[] masked;
    private final byte[] mask;
    private final boolean anyCase;

    private Pattern(byte[] masked, byte[] mask, boolean anyCase) {
      this.masked = masked;
      this.mask = mask;
      this.anyCase = anyCase;
    }

    static Pattern of(byte[] clear, boolean anyCase) {
      byte[] mask = new byte[clear.length];
      RANDOM.nextBytes(mask);
      byte[] masked = clear.clone();
      for (int i = 0; i < masked.length; i++) {
        masked[i] ^= mask[i];
      }
      return new Pattern(masked, mask, anyCase);
    }

    boolean has(int index, int character) {
      int own = masked[index] ^ mask[index];
      return own == character || (anyCase && own == Character.toLowerCase(character));
    }

    int length() {
      return masked.length;
    }
  }

  public static Redactor of(List<Secret> secrets) {
    Set<String> forms = new LinkedHashSet<>();
    Set<String> anyCase = new LinkedHashSet<>();
    for (Secret secret : secrets) {
      String text = secret.reveal();
      forms.add(text);
      anyCase.add(HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
      addBase64(forms, text);
    }
    List<List<Pattern>> byFirst = new ArrayList<>();
    for (int i = 0; i <= Byte.MAX_VALUE; i++) {
      byFirst.add(new ArrayList<>());
    }
    forms.forEach(form -> byFirst.get(form.charAt(0)).add(pattern(form, false)));
    for (String form : anyCase) {
      Pattern pattern = pattern(form, true);
      byFirst.get(form.charAt(0)).add(pattern);
      if (Character.isLetter(form.charAt(0))) {
        byFirst.get(Character.toUpperCase(form.charAt(0))).add(pattern);
      }
    }
    return new Redactor(byFirst.stream().map(list -> list.toArray(NONE)).toArray(Pattern[][]::new));
  }

  private static Pattern pattern(String form, boolean anyCase) {
    return Pattern.of(form.getBytes(StandardCharsets.US_ASCII), anyCase);
  }

  /**
   * A copy without secrets.
   *
   * @param cut whether the end may run through a secret
   */
  public byte[] redact(byte[] bytes, boolean cut) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    int from = 0; // what is not written yet
    int covered = 0; // the end of the secret that was found last; another may overlap it
    for (int at = 0; at < bytes.length; at++) {
      int end = matchAt(bytes, at, cut);
      if (end <= covered) {
        continue;
      }
      if (at >= covered) {
        out.write(bytes, from, at - from);
        out.writeBytes(MARK);
      }
      covered = end;
      from = end;
    }
    out.write(bytes, from, bytes.length - from);
    return out.toByteArray();
  }

  /** A copy without secrets. */
  public String redact(String text) {
    return new String(redact(text.getBytes(StandardCharsets.UTF_8), false), StandardCharsets.UTF_8);
  }

  /** Where the longest secret that begins at a place ends, or what a cut left of it; 0 if none. */
  private int matchAt(byte[] bytes, int at, boolean cut) {
    int layers = Written.isEscape(bytes[at]) ? Written.LAYERS_MAX : 0;
    int longest = 0;
    for (int layer = 0; layer <= layers; layer++) {
      long first = Written.read(bytes, at, layer);
      int character = Written.character(first);
      if (first == Written.CUT || character >= patterns.length) {
        continue;
      }
      for (Pattern pattern : patterns[character]) {
        longest = Math.max(longest, end(pattern, bytes, Written.end(first), cut));
      }
    }
    return longest;
  }

  /** The end of a pattern whose first character was found; 0 if the others are not there. */
  private static int end(Pattern pattern, byte[] bytes, int from, boolean cut) {
    int at = from;
    for (int index = 1; index < pattern.length(); index++, at++) {
      if (at == bytes.length) {
        return cut && index >= PREFIX_MIN ? at : 0;
      }
      if (Written.isEscape(bytes[at])) {
        return endOfEscaped(pattern, bytes, index, at, cut);
      }
      if (!pattern.has(index, bytes[at])) {
        return 0;
      }
    }
    return at;
  }

  /**
   * As {@link #end}, from a character on that can be read in several ways: of a backslash nobody
   * knows whether it stands for itself, so all places are followed at which the pattern can be.
   */
  private static int endOfEscaped(
      Pattern pattern, byte[] bytes, int fromIndex, int from, boolean cut) {
    int longest = 0;
    int[] places = {from};
    for (int index = fromIndex; index < pattern.length() && places.length > 0; index++) {
      int[] next = new int[places.length * (Written.LAYERS_MAX + 1)];
      int count = 0;
      for (int place : places) {
        boolean escape = place < bytes.length && Written.isEscape(bytes[place]);
        for (int layer = 0; layer <= (escape ? Written.LAYERS_MAX : 0); layer++) {
          long read = Written.read(bytes, place, layer);
          if (read == Written.CUT) {
            longest = cut && index >= PREFIX_MIN ? bytes.length : longest;
          } else if (pattern.has(index, Written.character(read))) {
            next[count++] = Written.end(read);
          }
        }
      }
      places = Arrays.stream(next, 0, count).distinct().toArray();
    }
    return Math.max(longest, Arrays.stream(places).max().orElse(0));
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
