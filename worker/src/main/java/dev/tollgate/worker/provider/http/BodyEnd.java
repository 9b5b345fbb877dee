package dev.tollgate.worker.provider.http;

/** How the body of an answer ended. */
public enum BodyEnd {
  /** There is no answer, or not even its head is whole. */
  NO_HEAD,
  /** By its own framing: all of Content-Length, the last chunk, or a status without a body. */
  WHOLE,
  /** It had no framing and ran until the peer closed: whole or not, nobody can tell. */
  UNTIL_CLOSE,
  /** The peer or the deadline cut it before its end. */
  CUT,
  /** The reader wanted no more of it. */
  OVER_LIMIT
}
