/**
 * The gate: a look at Redis before each intake batch goes to the database.
 *
 * <p><b>What it owns.</b> One Redis entry for each operation that was lately taken in, {@code
 * tg:<incarnation>:<hex of the operation key>}, which is absent, {@code CONSUMING:<owner>} (a
 * claim, short-lived), or {@code CONSUMED:<request hash, base64url>} (a mark, written only after
 * the database has committed).
 *
 * <p><b>What must hold.</b>
 *
 * <ul>
 *   <li>Losing Redis, or any of its entries, costs speed and nothing else. Only a mark with the
 *       same request hash acknowledges a message without the database; whatever cannot be
 *       understood leaves the decision to the database.
 *   <li>An error of Redis is never "held by another": a read-only replica, a full memory, a wrong
 *       type or a lost reply all answer {@link dev.tollgate.worker.gate.GateAnswer#UNAVAILABLE}.
 *   <li>A claim of our own is recognised by its owner, so a command whose answer was lost does not
 *       lock its sender out.
 *   <li>Only the owner's value is ever deleted, by comparing and deleting in one script.
 *   <li>Nothing repeats a command by itself. (A script that Redis says it does not know has not
 *       run, and is sent in full.)
 *   <li>Every call ends within its budget, and a breaker skips Redis after a failure.
 * </ul>
 *
 * <p><b>Decisions.</b>
 *
 * <ul>
 *   <li>{@code WAIT} proves nothing and is not used: it counts replicas for the writes of its own
 *       connection only (on another connection of a pool it answers at once), and an acknowledged
 *       write can still be lost in a failover. The database is the only proof, so the gate needs
 *       none.
 *   <li>Marks carry the request hash, so that a message with the same key and other parameters
 *       still reaches the database and is refused there.
 *   <li>Entries carry the database's incarnation (its history, and the file of its intents), so
 *       that a restored backup, a promoted standby, a database made anew or a second installation
 *       on the same servers meets no mark of a history it does not have.
 *   <li>Entries are read by {@code GETRANGE} up to 128 bytes rather than by {@code GET}: an entry
 *       that somebody planted, however large, costs a batch neither memory nor time.
 *   <li>A claim that is refused is not asked for a second time within the batch: if its entry has
 *       gone by the time it is read, the database decides.
 *   <li>A forged mark is the one thing Redis is trusted not to hold. Give the worker a Redis user
 *       of its own: {@code ~tg:* +set +get +getrange +del +eval +evalsha}, {@code +select} where a
 *       database other than 0 is used.
 *   <li>One Redis address, not a Redis Cluster client. A key never contains a hash tag and each
 *       command names one key, so a proxy that spreads keys works.
 * </ul>
 */
@NullMarked
package dev.tollgate.worker.gate;

import org.jspecify.annotations.NullMarked;
