/**
 * Dead letters: read where they lie, and sent back to the topic they came from.
 *
 * <p><b>Promises.</b> Reading commits no offset and changes nothing. A replay sends key, value and
 * the producer's own headers as they were, to the topic that the configuration names and never to
 * one that a header names. It counts itself in a header, up to a limit, and cannot cause a second
 * send to a provider: the operation key decides. Copies of one message (same key, same value) are
 * replayed once.
 *
 * <p><b>When things fail.</b> A replay stops at the first record that is not acknowledged; what was
 * sent until then is named.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.cli.dlt;
