package dev.tollgate.worker.provider;

/**
 * Reads a byte as the character that its writer meant: percent-encoded, escaped in a JSON string,
 * and both of that again, up to three times over. Stateless; costs a fixed number of steps.
 */
final class Written {
  /** An address inside JSON inside an address, for one. */
  static final int LAYERS_MAX = 3;

  /** The bytes end inside the character. */
  static final long CUT = -1;

  private Written() {}

  /** Whether more than the byte itself can stand here. */
  static boolean isEscape(byte b) {
    return b == '%' || b == '\\';
  }

  /**
   * The character at a place, with so many layers of encoding taken off; where there are fewer, the
   * character that is left.
   *
   * @return {@link #CUT}, or what {@link #character} and {@link #end} take apart
   */
  static long read(byte[] bytes, int at, int layers) {
    if (at >= bytes.length) {
      return CUT;
    }
    if (layers == 0 || !isEscape(bytes[at])) {
      return of(bytes[at] & 0xff, at + 1);
    }
    long first = read(bytes, at, layers - 1);
    if (first == CUT) {
      return CUT;
    }
    return switch (character(first)) {
      case '%' -> hex(bytes, first, end(first), 2, layers - 1);
      case '\\' -> escaped(bytes, first, layers - 1);
      default -> first;
    };
  }

  static int character(long read) {
    return (int) (read >>> 32);
  }

  /** The place behind it. */
  static int end(long read) {
    return (int) read;
  }

  private static long escaped(byte[] bytes, long backslash, int layers) {
    long next = read(bytes, end(backslash), layers);
    if (next == CUT) {
      return CUT;
    }
    return switch (character(next)) {
      case '/', '\\', '"' -> next;
      case 'u' -> hex(bytes, backslash, end(next), 4, layers);
      default -> backslash;
    };
  }

  /** The character that so many digits give; {@code otherwise} if they are none. */
  private static long hex(byte[] bytes, long otherwise, int from, int digits, int layers) {
    int value = 0;
    int at = from;
    for (int i = 0; i < digits; i++) {
      long digit = read(bytes, at, layers);
      if (digit == CUT) {
        return CUT;
      }
      int four = Character.digit(character(digit), 16);
      if (four < 0) {
        return otherwise;
      }
      value = value * 16 + four;
      at = end(digit);
    }
    return of(value, at);
  }

  private static long of(int character, int end) {
    return (long) character << 32 | end;
  }
}
