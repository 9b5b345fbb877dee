package dev.tollgate.schema.client;

import org.jspecify.annotations.Nullable;

/**
 * A chunk of a stream.
 *
 * @param offset counts from 0 without a gap
 * @param text the text in it; null where it holds none. A character may be divided between two
 *     chunks: the texts of all, one after the other, are the stream's
 * @param end how the stream ends with it, {@code succeeded, failed} or {@code cancelled}; null
 *     where it goes on
 * @param data the provider's event, JSON in UTF-8, byte for byte as it was published
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record StreamedChunk(int offset, @Nullable String text, @Nullable String end, byte[] data) {}
