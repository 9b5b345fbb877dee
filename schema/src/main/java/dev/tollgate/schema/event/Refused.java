package dev.tollgate.schema.event;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.RefusedException;

/**
 * A record that is not an event of ours. It goes to the dead-letter topic; nothing is stored for
 * it.
 *
 * @param code {@link Code#INVALID_EVENT} or {@link Code#UNSUPPORTED_VERSION}
 * @param message what is wrong, on one line, naming the field, with no more than a short excerpt of
 *     the value
 */
public record Refused(Code code, String message)
    implements Decoded, DecodedResult, DecodedReconcile, RequestWriter.Written {

  static Refused of(RefusedException e) {
    return new Refused(e.code(), e.reason());
  }

  /**
   * A fault of our own reading met this record. It is refused like any other, since a record that
   * stops its partition stops every record behind it; a dead letter can be replayed.
   */
  static Refused ofFault(RuntimeException e) {
    return new Refused(
        Code.INVALID_EVENT, "reading the record failed with " + e.getClass().getName());
  }
}
