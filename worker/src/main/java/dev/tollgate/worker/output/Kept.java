package dev.tollgate.worker.output;

import java.net.URI;

/**
 * What lies at an operation's place.
 *
 * @param address durable: it names the object for as long as it exists
 * @param sha256 digest of its bytes, 64 lower-case hex digits
 * @param length in bytes
 */
public record Kept(URI address, String sha256, long length) {}
