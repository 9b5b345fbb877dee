/**
 * Streams for their readers, while they come and afterwards.
 *
 * <p><b>Address.</b> {@code GET /operations/{key}/stream/{mac}}. The mac is an HMAC of the key
 * under the installation's secret, so the address is what entitles its bearer to this one stream,
 * and nothing else does: no cookie, no password. Without a genuine mac the answer is the same 404
 * whatever the operation, and the database is not asked.
 *
 * <p><b>What a reader gets.</b> Server-sent events: each chunk's id is its offset, and its data the
 * body that is published for it. A reader that was cut off comes again with the last id it has
 * ({@code Last-Event-ID}, or {@code ?after=}) and goes on behind it. Since what is told comes from
 * the table alone, by offset, and a page has no gap, each connection gets each offset once and in
 * order; a reader that drops offsets below the next it wants has each once over all of them. {@code
 * event: waiting} tells when there is something else to wait for than the next chunk, {@code event:
 * end} that the operation ended and all of its chunks were told; who has that is answered 204.
 *
 * <p><b>What it costs.</b> Each reader is one virtual thread and one socket. It asks for its next
 * page when its socket has taken the one before, so what is too much for a reader waits in the
 * table, not here. Those who have all there is are gathered, and one statement asks for a hundred
 * of them at each tick: readers that wait cost one index probe a tick, and no connection of the
 * pool. A connection's time is bounded, so that readers spread over the workers again.
 *
 * <p><b>When it fails.</b> While the database is away, readers hear heartbeats and nothing else;
 * whoever comes new is answered 503. A reader that takes nothing in time is cut off. A process that
 * ends, ends all connections; readers go on at another.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.reading;
