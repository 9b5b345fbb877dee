package dev.tollgate.worker.provider.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.ssl.ApplicationProtocol;
import org.apache.hc.core5.http2.ssl.H2TlsSupport;

/** Connects to one origin; with TLS only to a server that selects HTTP/2. Thread-safe. */
final class H2Dialer {
  private final boolean tls;
  private final String host;
  private final int port;
  private final SSLContext context;
  private final HttpSettings settings;
  private final Resolver resolver;
  private final Deadlines deadlines;

  H2Dialer(
      URI origin,
      SSLContext context,
      HttpSettings settings,
      Resolver resolver,
      Deadlines deadlines) {
    this.tls = "https".equals(origin.getScheme());
    this.host = origin.getHost().replace("[", "").replace("]", "");
    this.port = origin.getPort() >= 0 ? origin.getPort() : tls ? 443 : 80;
    this.context = context;
    this.settings = settings;
    this.resolver = resolver;
    this.deadlines = deadlines;
  }

  /** Connects to the first address that answers; blocks for one connect timeout per address. */
  H2Link dial() throws IOException {
    Socket socket = connected();
    if (!tls) {
      return new H2Link(socket, socket);
    }
    H2Link bare = new H2Link(socket, socket);
    // as a whole: a timeout of reads would let a handshake drip
    Future<?> due = deadlines.after(settings.connectTimeout().toNanos(), bare::reset);
    try {
      return secured(socket);
    } catch (IOException | RuntimeException e) {
      bare.reset();
      if (due.isDone()) {
        throw new SSLException("cut: the handshake took too long", e);
      }
      throw e;
    } finally {
      due.cancel(false);
    }
  }

  private Socket connected() throws IOException {
    IOException last = new IOException("no address");
    for (InetAddress address : resolver.resolve(host)) {
      Socket socket = new Socket();
      try {
        socket.setTcpNoDelay(true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, Connections.KEEP_IDLE_SECONDS);
        socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, Connections.KEEP_INTERVAL_SECONDS);
        socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, Connections.KEEP_COUNT);
        long millis = TimeUnit.NANOSECONDS.toMillis(settings.connectTimeout().toNanos());
        socket.connect(new InetSocketAddress(address, port), (int) Math.max(1, millis));
        return socket;
      } catch (IOException e) {
        socket.close();
        last = e;
      }
    }
    throw last;
  }

  private H2Link secured(Socket socket) throws IOException {
    SSLSocket secure =
        (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
    SSLParameters wanted =
        H2TlsSupport.enforceRequirements(HttpVersionPolicy.FORCE_HTTP_2, secure.getSSLParameters());
    wanted.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(wanted);
    secure.startHandshake();
    String selected = secure.getApplicationProtocol();
    if (!ApplicationProtocol.HTTP_2.id.equals(selected)) {
      throw new SSLException(
          "the server does not speak HTTP/2: by ALPN it selected "
              + (selected == null || selected.isEmpty() ? "nothing" : selected));
    }
    return new H2Link(socket, secure);
  }
}
