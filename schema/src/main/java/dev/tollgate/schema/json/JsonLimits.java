package dev.tollgate.schema.json;

/**
 * How much one JSON document may ask of a reader. They bound memory and stack per record, and are
 * part of the contract: a producer can rely on anything within them.
 */
public final class JsonLimits {
  /** One record of Kafka at its default {@code max.message.bytes}, in bytes. */
  public static final int DOCUMENT_BYTES_MAX = 1 << 20;

  /** Far above what provider parameters nest; small enough to recurse on any thread's stack. */
  public static final int NESTING_MAX = 64;

  /** A long script or an inlined thumbnail, in UTF-16 units; larger inputs belong in storage. */
  public static final int STRING_CHARS_MAX = 256 << 10;

  /** No name of a parameter comes near this, in UTF-16 units. */
  public static final int NAME_CHARS_MAX = 1024;

  /**
   * The longest double written plainly takes 309 digits, but nobody writes those; 128 leaves room
   * for zeros around any 17 digits that matter.
   */
  public static final int NUMBER_CHARS_MAX = 128;

  private JsonLimits() {}
}
