/**
 * From a provider's stream to chunks that are stored, and to the output that they make.
 *
 * <p>A create whose answer is a stream is accepted with the first event that names its task. That
 * is stored before any chunk is, so chunks belong to the accepted task and to no other; from then
 * on each event is a chunk, and its offset is its place in the stream. {@link
 * dev.tollgate.worker.stream.ChunkWriter} stores the chunks of all streams together, in their
 * order; a stream that is faster than the database waits.
 *
 * <p>The provider's last word is a chunk as well. Whoever finds it stored finishes the operation
 * from the database alone, so it does not matter who does, or how often. A stream without it is
 * cut, however the connection ended: where the provider can resume it, it is asked for what comes
 * behind the last chunk that is <em>stored</em>, by this worker at once and by any worker later;
 * where it cannot, the operation stays accepted, what came is kept, and a person decides. It is
 * never sent again by itself: what was streamed is paid.
 *
 * <p>Nobody holds a lease on a stream. Its reader puts off the time at which the operation is due
 * to be asked about; when that stops, another worker takes it up. Two that read the same stream
 * store the same chunks.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.stream;
