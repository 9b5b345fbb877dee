/**
 * What a provider offers whose answers are streams. A stream is accepted with the first event that
 * names its task; it has ended when the provider says so in its own words, and not when the
 * connection does: a stream without its last word is cut, whatever came before.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.stream;
