package dev.tollgate.schema.event;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import dev.tollgate.schema.json.UnicodeText;
import dev.tollgate.schema.key.OperationKey;
import org.jspecify.annotations.Nullable;

/** The checks that every record has in common, cheapest first. Stateless. */
final class RecordReader {
  private RecordReader() {}

  /** The text of a record's key, which must be there. */
  static String key(byte @Nullable [] key) {
    if (key == null || key.length == 0) {
      throw RefusedException.invalid("the record has no key; it must be the operation key");
    }
    if (key.length > OperationKey.TEXT_LENGTH_MAX) {
      throw RefusedException.invalid(
          "the record's key has " + key.length + " bytes; no operation key is that long");
    }
    return UnicodeText.utf8(key, "the record's key");
  }

  /** A record's value, which must be there and within the limit. */
  static byte[] value(byte @Nullable [] value) {
    if (value == null) {
      throw RefusedException.invalid("the record has no value; a tombstone cancels nothing");
    }
    if (value.length == 0) {
      throw RefusedException.invalid("the value is empty");
    }
    if (value.length > EventLimits.VALUE_BYTES_MAX) {
      throw RefusedException.invalid(
          "the value has " + value.length + " bytes, more than " + EventLimits.VALUE_BYTES_MAX);
    }
    return value;
  }

  static void sameKey(String recordKey, OperationKey computed) {
    if (!recordKey.equals(computed.toString())) {
      throw RefusedException.invalid(
          "the record's key " + Excerpt.of(recordKey) + " is not the operation key " + computed);
    }
  }
}
