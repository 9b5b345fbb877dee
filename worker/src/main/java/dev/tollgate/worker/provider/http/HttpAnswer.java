package dev.tollgate.worker.provider.http;

import java.util.Map;
import java.util.OptionalInt;

/** What one exchange showed. Immutable, as long as nobody writes to {@link #body()}. */
public final class HttpAnswer {
  private static final byte[] NO_BODY = {};

  private final boolean firstByteSent;
  private final boolean unprocessed;
  private final OptionalInt status;
  private final Map<String, String> headers;
  private final byte[] body;
  private final BodyEnd end;
  private final String error;

  private HttpAnswer(
      boolean firstByteSent,
      boolean unprocessed,
      OptionalInt status,
      Map<String, String> headers,
      byte[] body,
      BodyEnd end,
      String error) {
    this.firstByteSent = firstByteSent;
    this.unprocessed = unprocessed;
    this.status = status;
    this.headers = Map.copyOf(headers);
    this.body = body;
    this.end = end;
    this.error = error;
  }

  /** Nothing left: {@code error} says what stood in the way. */
  public static HttpAnswer notSent(String error) {
    return none(false, false, error);
  }

  /**
   * The request may have left, and the peer said, by means that its protocol reserves for that,
   * that it did not and will not act on it: {@code error} says how.
   */
  public static HttpAnswer unprocessed(String error) {
    return none(true, true, error);
  }

  /** The request may have left, and no whole response head came back. */
  public static HttpAnswer silence(String error) {
    return none(true, false, error);
  }

  /**
   * An answer.
   *
   * @param headers by lower-case name
   * @param body the bytes read; the caller gives them away
   * @param error what ended the body, empty if nothing did
   */
  public static HttpAnswer of(
      int status, Map<String, String> headers, byte[] body, BodyEnd end, String error) {
    return new HttpAnswer(true, false, OptionalInt.of(status), headers, body, end, error);
  }

  private static HttpAnswer none(boolean firstByteSent, boolean unprocessed, String error) {
    return new HttpAnswer(
        firstByteSent, unprocessed, OptionalInt.empty(), Map.of(), NO_BODY, BodyEnd.NO_HEAD, error);
  }

  /** Whether the first byte of the request may have left. */
  public boolean firstByteSent() {
    return firstByteSent;
  }

  /**
   * Whether the peer disclaimed the request: it can have had no effect, though bytes of it may have
   * left. Not to be mistaken for a refusal, which is an answer.
   */
  public boolean unprocessed() {
    return unprocessed;
  }

  /** The status of a final (not 1xx) response, if its head came whole. */
  public OptionalInt status() {
    return status;
  }

  /** The headers by lower-case name, repeated ones joined by a comma and a space. */
  public Map<String, String> headers() {
    return headers;
  }

  /** The collected body, not copied: not to be written to. Empty where the body was streamed. */
  public byte[] body() {
    return body;
  }

  /** How the body ended. */
  public BodyEnd end() {
    return end;
  }

  /** What went wrong on the connection, empty if nothing did. */
  public String error() {
    return error;
  }
}
