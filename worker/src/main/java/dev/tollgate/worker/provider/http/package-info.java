/**
 * Sends one request, once, over HTTP/1.1 or HTTP/2, and says exactly how far it came.
 *
 * <p><b>Model.</b> {@link dev.tollgate.worker.provider.http.HttpEngine} has an implementation for
 * each protocol.
 *
 * <ul>
 *   <li>{@code Http1Engine} drives the connection pool of Apache HttpClient 5 itself instead of
 *       going through its request chain: lease, connect, one write, one read. The parts that could
 *       repeat or redirect a request (retry, redirect, authentication, cookies, decompression) are
 *       not switched off, they are not there. {@code Exchange} holds the one moment that matters,
 *       the instant before the first byte, and the race between an exchange that ends and its
 *       deadline, which cuts it.
 *   <li>{@code Http2Engine} has a few connections that many requests share. Of each {@code
 *       H2Connection} one thread reads ({@code H2Receiver} says what a frame means) and one writes;
 *       {@code H2Sending} is what waits to leave, and there, as the head of a request is rendered,
 *       is its one moment. {@code H2Stream} is one request and its end. One lock guards all of an
 *       engine and is never held during input or output.
 * </ul>
 *
 * <p><b>Invariants.</b> The send deadline is read after the connection stands and right before the
 * request is written. An HTTP/1.1 connection goes back to the pool only if the whole answer was
 * read, nothing follows it, and the deadline did not cut it; one on which the peer has said
 * something unasked is not used. An HTTP/2 connection carries requests only after the peer has
 * shown that it speaks HTTP/2, and nothing new once it was silent until a deadline or after a PING;
 * a stream that ends ends alone.
 *
 * <p><b>Failures.</b> Nothing left: not sent. Bytes left and the peer disclaimed them: unprocessed.
 * Bytes left and no head came: silence. A head came and its body is not whole: cut.
 *
 * <p>Nothing in here knows what a task or a provider is, nothing in here logs, and nothing in here
 * is API for other modules.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.http;
