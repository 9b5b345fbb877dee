package dev.tollgate.schema.event;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.End;
import java.nio.charset.StandardCharsets;

/**
 * A chunk of a stream as it is published and read: {@code offset}, the {@code text} in it where it
 * holds some, the provider's {@code data} byte for byte, and how the stream {@code end}s with it.
 * Stateless.
 */
public final class ChunkEvent {
  private ChunkEvent() {}

  /** The event's id: operation key and offset, so that a consumer can drop repeats. */
  public static String id(OperationKey key, int offset) {
    return key + "/" + offset;
  }

  /** The body, JSON; the provider's part of it stands there as it came. */
  public static String body(OperationKey key, Chunk chunk) {
    StringBuilder json = new StringBuilder(128 + chunk.data().length);
    json.append("{\"key\":\"").append(key).append("\",\"offset\":").append(chunk.offset());
    byte[] text = chunk.text();
    if (text != null) {
      json.append(",\"text\":").append(new String(text, StandardCharsets.UTF_8));
    }
    End end = chunk.ends();
    if (end != null) {
      json.append(",\"end\":\"").append(end.word()).append('"');
    }
    json.append(",\"data\":").append(new String(chunk.data(), StandardCharsets.UTF_8));
    return json.append('}').toString();
  }

  /** The CloudEvent of a chunk. */
  public static EventMessage message(OperationKey key, Chunk chunk) {
    CloudEvent event =
        new CloudEvent(CloudEvent.CHUNK_TYPE, CloudEvent.SOURCE, id(key, chunk.offset()), null);
    return new EventMessage(key.toString(), body(key, chunk), event.headers());
  }
}
