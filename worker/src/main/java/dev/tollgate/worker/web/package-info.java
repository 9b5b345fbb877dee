/**
 * Ports that anybody can connect to.
 *
 * <p>What somebody may cost here before it is known who asks for what is bounded: the connections
 * at once, the size of a request's head, and the time until it is here. Whoever sends a byte now
 * and then is cut off like one who sends none, so that those who hold all connections give way to
 * others. What a request may cost after that is the business of those who answer it; {@link
 * dev.tollgate.worker.web.HttpPort#cutAfter} bounds what they wait for.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.web;
