/**
 * How long operations are kept whole, and from when on a message is too old.
 *
 * <p>The horizon of a provider is the longest of what somebody may still need an operation for: its
 * provider's list, promise and callbacks, the repeats of events, bills and their disputes, audit,
 * and the topics in which its message may still be read. It is computed from the configuration and
 * from what the brokers say, again every few minutes, since that may change. Until they have
 * answered there is no horizon: nothing is forgotten and nothing is too old.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.retention;
