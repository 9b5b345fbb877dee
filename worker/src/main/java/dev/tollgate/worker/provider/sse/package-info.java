/** Server-sent events, as providers stream their output. */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.sse;
