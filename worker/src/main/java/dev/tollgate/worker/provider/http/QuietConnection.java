package dev.tollgate.worker.provider.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.http.io.HttpConnectionFactory;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/**
 * A pooled connection that logs nothing. The client's own one writes every header and byte to its
 * log at debug level, credentials and prompts included.
 *
 * <p>Used by one thread at a time; only closing may come from another, and is final.
 */
final class QuietConnection extends DefaultBHttpClientConnection
    implements ManagedHttpClientConnection {
  private volatile boolean closed; // a closed connection must not get another socket

  private QuietConnection(Http1Config limits, TailAwareResponse.ParserFactory parsers) {
    super(limits, null, null, null, null, null, parsers);
  }

  /** Makes connections that respect {@code limits}. */
  static HttpConnectionFactory<ManagedHttpClientConnection> factory(Http1Config limits) {
    TailAwareResponse.ParserFactory parsers = new TailAwareResponse.ParserFactory(limits);
    return _ -> new QuietConnection(limits, parsers);
  }

  @Override
  public void bind(Socket socket) throws IOException {
    if (!closed) {
      super.bind(socket);
    }
    refuseIfClosed(socket);
  }

  @Override
  public void bind(SSLSocket tls, Socket socket) throws IOException {
    if (!closed) {
      super.bind(tls, socket);
    }
    refuseIfClosed(socket);
  }

  @Override
  public @Nullable Socket getSocket() {
    SocketHolder holder = getSocketHolder();
    return holder == null ? null : holder.getSocket();
  }

  @Override
  public @Nullable SSLSession getSSLSession() {
    return getSocket() instanceof SSLSocket tls ? tls.getSession() : null;
  }

  @Override
  public void close(CloseMode mode) {
    closed = true;
    super.close(mode);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    super.close();
  }

  @Override
  public void passivate() {
    // reads have no timeout, idle or not
  }

  @Override
  public void activate() {
    // as above
  }

  /** Read after binding as well: the deadline may have closed this in between. */
  private void refuseIfClosed(Socket socket) throws IOException {
    if (closed) {
      super.close(CloseMode.IMMEDIATE);
      socket.close();
      throw new InterruptedIOException("cut while connecting");
    }
  }
}
