package dev.tollgate.worker.provider.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** Builds the connection pool of an engine. Of system properties, only the JDK's for TLS count. */
final class Connections {
  /** Far above what providers send, far below what would hurt. */
  private static final int HEADERS_MAX = 128;

  private static final int HEADER_LINE_MAX = 8 * 1024;

  /** A peer that vanished is noticed on an idle connection after about half a minute. */
  static final int KEEP_IDLE_SECONDS = 15;

  static final int KEEP_INTERVAL_SECONDS = 5;
  static final int KEEP_COUNT = 3;

  private Connections() {}

  /**
   * The pool. Lax: it hands out connections without one lock for all, and since an engine has one
   * route, its limit per route is the limit. The connection used last goes out first, so that the
   * rest can grow old and be dropped.
   *
   * <p>Sockets have no read timeout: the deadline thread cuts an exchange as a whole, and an
   * untimed read is the cheaper one on a virtual thread.
   */
  static PoolingHttpClientConnectionManager open(HttpSettings settings, Resolver resolver) {
    Http1Config limits =
        Http1Config.custom()
            .setMaxHeaderCount(HEADERS_MAX)
            .setMaxLineLength(HEADER_LINE_MAX)
            .build();
    return PoolingHttpClientConnectionManagerBuilder.create()
        .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
        .setConnPoolPolicy(PoolReusePolicy.LIFO)
        .setMaxConnTotal(settings.maxConnections())
        .setMaxConnPerRoute(settings.maxConnections())
        .setDnsResolver(dns(resolver))
        .setConnectionFactory(QuietConnection.factory(limits))
        .setTlsSocketStrategy(DefaultClientTlsStrategy.createDefault())
        .setDefaultTlsConfig(
            TlsConfig.custom().setHandshakeTimeout(timeout(settings.connectTimeout())).build())
        .setDefaultSocketConfig(socket())
        .setDefaultConnectionConfig(connection(settings))
        .build();
  }

  private static DnsResolver dns(Resolver resolver) {
    return new DnsResolver() {
      @Override
      public InetAddress[] resolve(String host) throws UnknownHostException {
        return resolver.resolve(host).toArray(new InetAddress[0]);
      }

      @Override
      public String resolveCanonicalHostname(String host) {
        return host; // nothing here authenticates by it
      }
    };
  }

  private static SocketConfig socket() {
    return SocketConfig.custom()
        .setTcpNoDelay(true)
        .setSoTimeout(Timeout.DISABLED)
        .setSoKeepAlive(true)
        .setTcpKeepIdle(KEEP_IDLE_SECONDS)
        .setTcpKeepInterval(KEEP_INTERVAL_SECONDS)
        .setTcpKeepCount(KEEP_COUNT)
        .build();
  }

  private static ConnectionConfig connection(HttpSettings settings) {
    return ConnectionConfig.custom()
        .setConnectTimeout(timeout(settings.connectTimeout()))
        .setSocketTimeout(Timeout.DISABLED)
        .setValidateAfterInactivity(
            TimeValue.ofMilliseconds(settings.validateAfterIdle().toMillis()))
        .build();
  }

  private static Timeout timeout(Duration duration) {
    return Timeout.ofMilliseconds(duration.toMillis());
  }
}
