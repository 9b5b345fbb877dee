package dev.tollgate.schema.client;

import org.jspecify.annotations.Nullable;

/**
 * How a streamed operation ended.
 *
 * @param state {@code complete} or {@code failed}
 * @param reason its code
 * @param chunks how many its stream has
 */
public record StreamEnd(String state, @Nullable String reason, int chunks) {}
