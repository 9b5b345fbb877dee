package dev.tollgate.worker.output;

import dev.tollgate.schema.Code;
import java.util.Set;

/** What keeps a paid task from its output, by what is done about it. */
enum Trouble {
  /** What lies there is not the output, and would not be at a second try. */
  WRONG,

  /** It is not there. Asked at once, the provider may name another place. */
  GONE,

  /** It cannot be had now, and nothing says that it is gone. */
  AWAY,

  /** The provider says something that nobody here understands. It may pass by itself. */
  UNFAMILIAR;

  private static final Set<Code> IN_VAIN =
      Set.of(
          Code.OUTPUT_INVALID,
          Code.CHECKSUM_MISMATCH,
          Code.OUTPUT_GONE,
          Code.TASK_MISSING,
          Code.STREAM_CUT);

  /**
   * What a code means.
   *
   * @throws IllegalArgumentException if it is no trouble with an output
   */
  static Trouble of(Code code) {
    return switch (code) {
      case OUTPUT_INVALID, CHECKSUM_MISMATCH -> WRONG;
      case OUTPUT_GONE, TASK_MISSING, STREAM_CUT -> GONE;
      case OUTPUT_UNAVAILABLE -> AWAY;
      case STATE_UNKNOWN -> UNFAMILIAR;
      default -> throw new IllegalArgumentException(code + " is no trouble with an output");
    };
  }

  /**
   * The evidence that counts as having tried before. Being away counts apart: when the provider is
   * back, what it says then is heard as if it were new.
   */
  Set<Code> before() {
    return switch (this) {
      case WRONG, GONE -> IN_VAIN;
      case AWAY -> Set.of(Code.OUTPUT_UNAVAILABLE);
      case UNFAMILIAR -> Set.of(Code.STATE_UNKNOWN);
    };
  }
}
