package dev.tollgate.worker.provider.http;

/** The version of HTTP that an engine speaks; it never falls back to another. */
public enum HttpProtocol {
  /** One request at a time on a connection. */
  HTTP_1_1,
  /** Many requests at once on a few connections (RFC 9113). */
  HTTP_2
}
