package dev.tollgate.schema.event;

import dev.tollgate.schema.json.JsonLimits;

/** How much one record may bring. Limits inside the JSON are in {@link JsonLimits}. */
public final class EventLimits {
  /** In bytes: what a broker takes in one batch unless told otherwise. */
  public static final int VALUE_BYTES_MAX = JsonLimits.DOCUMENT_BYTES_MAX;

  /** CloudEvents, tracing and a dead letter's history together stay below half of this. */
  public static final int HEADERS_MAX = 64;

  /** Names and values of all headers together; a dead letter's message is the longest of them. */
  public static final int HEADER_BYTES_MAX = 32 << 10;

  /** Ids are compared, indexed and logged, in code points. */
  public static final int ID_CHARS_MAX = 255;

  private EventLimits() {}
}
