/**
 * Providers that are data: one adapter for every descriptor.
 *
 * <p><b>Model.</b> {@link dev.tollgate.worker.provider.described.DescribedAdapter} builds requests
 * from a {@link dev.tollgate.worker.provider.descriptor.Descriptor}, sends them through the one
 * {@link dev.tollgate.worker.provider.http.HttpEngine}, and hands answers to the one {@link
 * dev.tollgate.worker.provider.VerdictRules}. A descriptor says where things stand in an answer and
 * what is documented about it; it cannot say that something is accepted without an id, rejected
 * without the provider's own error shape, or sent again.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A request that cannot be built as the descriptor says is not sent.
 *   <li>An answer is read as far as it came; an expression that fails on it sees nothing, and
 *       nothing is concluded from what was not seen.
 *   <li>A list counts as shown whole only if every page came, every entry could be read and no page
 *       was the last for another reason than that nothing follows.
 *   <li>Credentials go to the endpoint alone, never to a host that an answer names.
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.described;
