package dev.tollgate.schema.client;

import org.jspecify.annotations.Nullable;

/** Hears one stream. Called by the thread that reads it. */
@FunctionalInterface
public interface StreamListener {
  /** The next chunk: each once, in order. */
  void chunk(StreamedChunk chunk);

  /**
   * There is something else to wait for than the next chunk, or no longer.
   *
   * @param state the operation's
   * @param reason its code
   * @param review why a person has to decide, if one has to
   */
  default void waiting(String state, @Nullable String reason, @Nullable String review) {}

  /**
   * The connection was cut or could not be made; it is made again.
   *
   * @param inARow how often, since the last chunk
   */
  default void again(int inARow, String why) {}
}
