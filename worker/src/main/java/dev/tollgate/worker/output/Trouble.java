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
   * The evidence that counts as having tried before: of the same kind alone. When the provider is
   * back, or what was not there is, what it says then is heard as if it were new.
   */
  Set<Code> before() {
    return switch (this) {
      case WRONG -> Set.of(Code.OUTPUT_INVALID, Code.CHECKSUM_MISMATCH);
      case GONE -> Set.of(Code.OUTPUT_GONE, Code.TASK_MISSING, Code.STREAM_CUT);
      case AWAY -> Set.of(Code.OUTPUT_UNAVAILABLE);
      case UNFAMILIAR -> Set.of(Code.STATE_UNKNOWN);
    };
  }
}
