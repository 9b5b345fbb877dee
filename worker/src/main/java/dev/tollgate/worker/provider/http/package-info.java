/**
 * Sends one HTTP/1.1 request over a pooled connection, once, and says exactly how far it came.
 *
 * <p><b>Model.</b> {@link dev.tollgate.worker.provider.http.HttpEngine} drives the connection pool
 * of Apache HttpClient 5 itself instead of going through its request chain: lease, connect, one
 * write, one read. The parts that could repeat or redirect a request (retry, redirect,
 * authentication, cookies, decompression) are not switched off, they are not there. {@code
 * Exchange} holds the one moment that matters, the instant before the first byte, and the race
 * between an exchange that ends and its deadline, which cuts it.
 *
 * <p><b>Invariants.</b> The send deadline is read after the connection stands and right before the
 * request is written. A connection goes back to the pool only if the whole answer was read, nothing
 * follows it, and the deadline did not cut it. A connection on which the peer has said something
 * unasked is not used.
 *
 * <p>Nothing in here knows what a task or a provider is; nothing in here is API for other modules.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.http;
