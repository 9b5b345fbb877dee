package dev.tollgate.schema.store;

import org.jspecify.annotations.Nullable;

/** Where an output lies and what it is. */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record StoredOutput(
    String address, byte[] sha256, long length, @Nullable String contentType) {}
