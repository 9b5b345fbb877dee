package dev.tollgate.worker.provider;

import java.time.Instant;
import java.util.Optional;

/**
 * A remote task that a look-up showed.
 *
 * @param remoteId the provider's id
 * @param createdAt the creation time that the provider names, by its own clock
 * @param canonicalInput the input it shows, as canonical JSON (RFC 8785)
 * @param reference the client reference it shows
 */
public record Candidate(
    String remoteId,
    Instant createdAt,
    Optional<Bytes> canonicalInput,
    Optional<String> reference) {}
