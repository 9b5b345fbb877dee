package dev.tollgate.worker.provider.http;

import java.net.URI;
import java.util.function.LongSupplier;

/**
 * Sends requests to one origin over its own connections, each request once. Thread-safe; blocks,
 * and is meant for virtual threads. Whatever the network does is in the answer.
 */
public sealed interface HttpEngine extends AutoCloseable permits Http1Engine, Http2Engine {
  /**
   * An engine for {@code origin}, of which scheme, host and port count; connects with its first
   * use. It speaks the protocol of the settings and no other: with HTTP/2, {@code https} needs a
   * server that selects {@code h2} by ALPN, and {@code http} one that is known to speak it.
   *
   * @param nanoTime the monotonic clock that the deadlines of calls are readings of
   * @param deadlines the process's deadline thread; to be closed after this
   */
  static HttpEngine open(
      URI origin, HttpSettings settings, LongSupplier nanoTime, Deadlines deadlines) {
    return open(origin, settings, Resolver.SYSTEM, nanoTime, deadlines);
  }

  /** The same, with connections to the addresses that {@code resolver} names alone. */
  static HttpEngine open(
      URI origin,
      HttpSettings settings,
      Resolver resolver,
      LongSupplier nanoTime,
      Deadlines deadlines) {
    return switch (settings.protocol()) {
      case HTTP_1_1 -> new Http1Engine(origin, settings, resolver, nanoTime, deadlines);
      case HTTP_2 -> Http2Engine.open(origin, settings, resolver, nanoTime, deadlines);
    };
  }

  /**
   * Sends {@code call} at most once and reads its answer into {@code sink}, on the calling thread.
   * An open connection that turns out to be unusable before anything of the call is written to it
   * is replaced; after that, nothing is.
   */
  HttpAnswer send(HttpCall call, BodySink sink);

  /** Cuts every connection; calls under way end as if the peer had. */
  @Override
  void close();
}
