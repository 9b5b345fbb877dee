/**
 * Configuration: typed, read once at start, every fault reported at once, unknown keys refused.
 *
 * <p>Sources, the stronger first: system properties, environment variables ({@code
 * TOLLGATE_DATABASE_URL} for {@code tollgate.database.url}), then a properties file. Credentials
 * have no defaults and are never printed. A fault repeats a value only where that can be none, and
 * never all of a long one: an address is told by where it stops being one.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.schema.config;
