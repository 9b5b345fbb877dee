package dev.tollgate.worker.web;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose next head is not here in time. The server's own limits do not: each
 * byte begins its idle time again, and its least rate holds for bodies alone. Thread-safe.
 */
final class Heads extends Handler.Wrapper {
  private final Connector connector;
  private final Duration within;
  private final Map<Connection, Awaited> open = new ConcurrentHashMap<>();

  /**
   * @param handler of requests whose head came in time
   */
  Heads(Connector connector, Duration within, Handler handler) {
    super(handler);
    this.connector = connector;
    this.within = within;
  }

  /** Has to hear of connections. */
  Connection.Listener connections() {
    return new Connection.Listener() {
      @Override
      public void onOpened(Connection connection) {
        Awaited awaited = new Awaited(connection);
        open.put(connection, awaited);
        awaited.opened();
      }

      @Override
      public void onClosed(Connection connection) {
        Awaited awaited = open.remove(connection);
        if (awaited != null) {
          awaited.closed();
        }
      }
    };
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Awaited awaited = open.get(request.getConnectionMetaData().getConnection());
    if (awaited != null) {
      awaited.came();
      Request.addCompletionListener(request, _ -> awaited.answered());
    }
    return super.handle(request, response, callback);
  }

  /** What one connection is waited for. */
  private final class Awaited {
    private final Connection connection;

    /** Whose heads came and who are not answered: a next head may come before it is told so. */
    @GuardedBy("this")
    private int requests;

    @GuardedBy("this")
    private boolean over;

    @GuardedBy("this")
    private Scheduler.@Nullable Task cut;

    Awaited(Connection connection) {
      this.connection = connection;
    }

    synchronized void opened() {
      rest();
    }

    synchronized void came() {
      requests++;
      rest();
    }

    synchronized void answered() {
      requests--;
      rest();
    }

    synchronized void closed() {
      over = true;
      rest();
    }

    @GuardedBy("this")
    private void rest() {
      if (cut != null) {
        cut.cancel();
        cut = null;
      }
      if (requests == 0 && !over) {
        cut =
            connector
                .getScheduler()
                .schedule(connection.getEndPoint()::close, within.toNanos(), TimeUnit.NANOSECONDS);
      }
    }
  }
}
