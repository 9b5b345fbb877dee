package dev.tollgate.worker.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The gate's words: how keys and values are spelled, and what a value found in the store means.
 * Immutable.
 *
 * <p>Keys are {@code tg:<incarnation>:<hex of the operation key>}: hex has no colon, so two
 * different pairs never share a key, and no brace reaches it, so keys spread over the slots of a
 * cluster.
 */
final class GateCodec {

  /**
   * No value of ours is longer; a reader asks for no more than this, so that a planted giant costs
   * nothing.
   */
  static final int READ_BYTES = 128;

  private static final String CLAIM_PREFIX = "CONSUMING:";
  private static final String CONSUMED_PREFIX = "CONSUMED:";
  private static final Pattern OWNER = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern INCARNATION = Pattern.compile("[A-Za-z0-9:._-]{1,64}");
  private static final Pattern HASH = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final String keyPrefix;
  private final byte[] claim;

  GateCodec(String incarnation, String owner) {
    if (!INCARNATION.matcher(incarnation).matches()) {
      throw new IllegalArgumentException(
          "incarnation must match " + INCARNATION + ", is " + incarnation);
    }
    if (!OWNER.matcher(owner).matches()) {
      throw new IllegalArgumentException("owner must match " + OWNER + ", is " + owner);
    }
    this.keyPrefix = "tg:" + incarnation + ":";
    this.claim = (CLAIM_PREFIX + owner).getBytes(ISO_8859_1);
  }

  byte[] storeKey(GateKey key) {
    return (keyPrefix + HexFormat.of().formatHex(key.key())).getBytes(ISO_8859_1);
  }

  /** The value of this owner's claims; not to be changed. */
  byte[] claim() {
    return claim;
  }

  byte[] consumed(GateKey key) {
    return (CONSUMED_PREFIX + BASE64.encodeToString(key.requestHash())).getBytes(ISO_8859_1);
  }

  /**
   * What a value, cut at {@link #READ_BYTES}, says about the key. What nobody here writes is no
   * answer.
   */
  GateAnswer read(byte[] value, GateKey key) {
    if (Arrays.equals(value, claim)) {
      return GateAnswer.OWN;
    }
    if (Arrays.equals(value, consumed(key))) {
      return GateAnswer.CONSUMED_SAME;
    }
    String text = new String(value, ISO_8859_1);
    if (text.startsWith(CONSUMED_PREFIX)) {
      boolean hash = HASH.matcher(text.substring(CONSUMED_PREFIX.length())).matches();
      return hash ? GateAnswer.CONSUMED_OTHER : GateAnswer.UNAVAILABLE;
    }
    if (text.startsWith(CLAIM_PREFIX)) {
      boolean owner = OWNER.matcher(text.substring(CLAIM_PREFIX.length())).matches();
      return owner ? GateAnswer.HELD : GateAnswer.UNAVAILABLE;
    }
    return GateAnswer.UNAVAILABLE;
  }
}
