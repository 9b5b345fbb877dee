package dev.tollgate.worker.output;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that was downloaded and passed every check.
 *
 * @param length in bytes, positive
 * @param sha256 64 lower-case hex digits
 * @param contentType its media type, where somebody knows it
 */
public record Verified(Path file, long length, String sha256, Optional<String> contentType) {}
