/**
 * How Tollgate speaks to a provider, and what it concludes from what it saw.
 *
 * <p><b>Model.</b> One {@link dev.tollgate.worker.provider.ProviderAdapter} per provider. {@link
 * dev.tollgate.worker.provider.ProviderAdapter#submit submit} writes one request at most once and
 * answers one {@link dev.tollgate.worker.provider.Verdict}: accepted, rejected, throttled, not
 * sent, or unknown. The line between "not sent" and everything else is one moment: the instant
 * before the first byte of the request is handed to a connected, TLS-established connection.
 * Whatever fails before it provably left nothing at the provider; whatever fails after it is judged
 * by {@link dev.tollgate.worker.provider.VerdictRules} from the bytes that came back and from what
 * the provider documents ({@link dev.tollgate.worker.provider.AnswerRule}). Nothing is concluded
 * from a status code alone, and a transport error is never a rejection. HTTP/2 has one proof more:
 * a peer that disclaims a request unprocessed makes it "not sent", though bytes of it left.
 *
 * <p><b>Rooms.</b> {@link dev.tollgate.worker.provider.descriptor} reads providers that are data,
 * {@link dev.tollgate.worker.provider.described} speaks to them, {@link
 * dev.tollgate.worker.provider.jq} evaluates their expressions, {@link
 * dev.tollgate.worker.provider.spi} is for what data cannot say, {@link
 * dev.tollgate.worker.provider.signing} signs requests, {@link dev.tollgate.worker.provider.http}
 * sends.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>One {@code submit} is one request on the wire at most: no retry, no redirect, no answer to
 *       an authentication challenge, no second try on a dead pooled connection.
 *   <li>No byte leaves after {@link dev.tollgate.worker.provider.Submission#sendNotAfterNanos()};
 *       no answer is awaited past {@link dev.tollgate.worker.provider.Submission#answerByNanos()},
 *       however slowly it drips.
 *   <li>Whatever came back is kept as {@link dev.tollgate.worker.provider.RawAnswer}, also when it
 *       was cut; known secrets are taken out of it before it leaves this package.
 *   <li>What the network does comes back as a result, never as an exception.
 * </ul>
 *
 * <p><b>Refusals.</b> No retry of any kind lives here, not even of look-ups: pacing belongs to who
 * keeps the state. No proxy, no cookie, no content decompression, no system property changes what
 * is sent. No fallback from one version of HTTP to the other, no upgrade, no push. Output addresses
 * outside the provider's own origin and the hosts that are allowed by name are not fetched. Nothing
 * here logs an address with its query, a body or a key.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider;
