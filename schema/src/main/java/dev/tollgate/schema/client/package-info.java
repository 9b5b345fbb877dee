/**
 * A small client in Java: publishes requests, hears what becomes of them, and reads streams.
 *
 * <p><b>Model.</b> {@link dev.tollgate.schema.client.TollgateClient} publishes to the requests
 * topic and reads the events and the dead letters of requests from all partitions, at a position of
 * its own and in no group: several clients each hear everything, and one that is gone holds up
 * nobody. A request that was submitted is waited for until its operation ends or a dead letter says
 * that it was not taken in.
 *
 * <p><b>What ties a result to a request.</b> The operation key, and the hash of what was asked for.
 * Where another request with the same key and other parameters came first, its result is not passed
 * off as this one's: this one was refused. A dead letter counts where it carries the id of the
 * request's own event.
 *
 * <p><b>When it fails.</b> A broker that is away is waited for, and reading goes on where it was. A
 * repeat is dropped by its version. Nothing that goes wrong here says anything about the operation:
 * to submit a request again, from anywhere, is safe, since the key decides. What ended before a
 * client began to read it is not told again; {@link
 * dev.tollgate.schema.client.ClientOptions#withFrom} begins earlier.
 *
 * <p><b>Streams.</b> {@link dev.tollgate.schema.client.StreamReader} reads an operation's streamed
 * text from its address, which the event that it was accepted tells. The offset is all that it
 * remembers: with it a connection that was cut goes on, a repeat is dropped and a gap is seen.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.schema.client;
