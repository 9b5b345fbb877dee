package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import org.jspecify.annotations.Nullable;

/**
 * How a stored operation stands, in short.
 *
 * @param reason why it is in its state
 * @param review why a person has to decide
 * @param output where its output lies; null unless it is complete
 */
public record Standing(
    KnownIntent intent, @Nullable Code reason, @Nullable Code review, @Nullable String output) {}
