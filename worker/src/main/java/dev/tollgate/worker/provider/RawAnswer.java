package dev.tollgate.worker.provider;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What was seen on the wire, as evidence: kept whatever the verdict is. Known secrets are already
 * replaced in it. Immutable.
 *
 * @param firstByteSent whether the first byte of the request may have left
 * @param status the HTTP status, if a whole response head came
 * @param headers the few response headers worth keeping, by lower-case name; repeated ones joined
 *     with a comma and a space
 * @param body the response body as it came, up to {@link #BODY_LIMIT} bytes
 * @param truncated whether the body is not whole: cut by the peer or by the deadline, or longer
 *     than the limit
 * @param transportError what the connection did in the end, empty if nothing went wrong
 * @param seenRemoteId an id in the body that the verdict does not rest on, to be verified by a
 *     status call
 */
public record RawAnswer(
    boolean firstByteSent,
    OptionalInt status,
    Map<String, String> headers,
    Bytes body,
    boolean truncated,
    String transportError,
    Optional<String> seenRemoteId) {
  /** The most bytes of a response body that are kept: far more than any create answer needs. */
  public static final int BODY_LIMIT = 16 * 1024;

  public RawAnswer {
    headers = Map.copyOf(new TreeMap<>(headers));
  }

  /** Of a call that nothing was seen of. */
  public static RawAnswer none(boolean firstByteSent, String transportError) {
    return new RawAnswer(
        firstByteSent,
        OptionalInt.empty(),
        Map.of(),
        Bytes.empty(),
        false,
        transportError,
        Optional.empty());
  }
}
