/**
 * A paid provider that misbehaves on purpose, and the books that tell what it really did.
 *
 * <p><b>What it owns.</b> {@link dev.tollgate.loadtest.sandbox.SandboxServer} serves four kinds of
 * task API from one port: {@code keyed} (idempotency keys), {@code lookup} (search by client
 * reference), {@code listed} (a task list with a time window) and {@code blind} (neither); and
 * {@code text}, streamed as OpenAI's responses are. It works on raw sockets, since a reset, a cut
 * or a silence must be made at the byte where it is wanted.
 *
 * <p><b>Model.</b> Every create request takes a number {@code n}, meets one {@link
 * dev.tollgate.loadtest.sandbox.Fault}, and leaves one line in the ledger <em>before</em> any byte
 * of its answer leaves, or before the answer is dropped. A second line follows when it is known
 * whether the answer was written. A task's state is never stored: it is computed from the time
 * since its creation whenever somebody asks.
 *
 * <p>Which fault: a test's own queue ({@code SandboxServer.script}), else the request's {@code
 * input.sandbox_script}, else the seeded {@link dev.tollgate.loadtest.sandbox.FaultPlan}, which
 * depends on nothing but (seed, kind, body, how often this body was seen).
 *
 * <p><b>Streams.</b> A text and its events follow from its task's id, and when each is due from the
 * task's creation, so any of them can be sent again to whoever asks for what comes behind another.
 * {@link dev.tollgate.loadtest.sandbox.StreamPlan} spoils answers once more: they are cut at any
 * byte, repeat an event, begin before the one that was asked for, or do not come. An input that is
 * a string has its {@code sandbox_script} beside it.
 *
 * <p><b>Reports.</b> Each change of a task (queued, processing, its end) may be reported: to the
 * {@code callback_url} of its create, else to the addresses of {@link
 * dev.tollgate.loadtest.sandbox.Reporting}, signed as Standard Webhooks has it. Reports are lost,
 * repeated, late and out of order by the same seed; one that is not acknowledged comes again. They
 * say what a status call would say, and nothing rests on them.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A task exists if and only if the ledger holds a request line with {@code created: true} for
 *       it. A provider that dies with a {@code late} task still to come has neither.
 *   <li>One idempotency key has at most one task, whatever fault meets its re-sends. A {@code 400}
 *       never answers a key that has a task, since that would be a lie about the documented
 *       meaning.
 *   <li>A create that was received is carried out even when its client has gone.
 *   <li>A connection is closed when a complete request head does not arrive within the idle
 *       timeout, or its body within the idle timeout after that. No request can begin on it later.
 *   <li>Except for keys, nothing deduplicates: two requests make two tasks.
 * </ul>
 *
 * <p><b>When things fail.</b> A ledger that cannot be written ends the connection without an
 * answer: no answer may be given that the books do not hold. A restart on the same ledger file goes
 * on with the tasks, keys and numbers it finds there; a half-written last line is cut off first,
 * since its answer never left.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.loadtest.sandbox;
