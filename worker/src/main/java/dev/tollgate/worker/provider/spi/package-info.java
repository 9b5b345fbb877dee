/**
 * What a provider descriptor cannot say, as code: how a request is signed, or a whole adapter. Both
 * are found by {@link java.util.ServiceLoader}. Neither sends anything by itself: one send and its
 * verdict stay with {@link dev.tollgate.worker.provider.http.HttpEngine} and {@link
 * dev.tollgate.worker.provider.VerdictRules}.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.spi;
