package dev.tollgate.loadtest.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running sandbox provider on 127.0.0.1. Thread-safe.
 *
 * <p>Closing it breaks every connection as the death of a provider would: what was received but not
 * yet made is not made, and the ledger is complete.
 */
public final class SandboxServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SandboxServer.class);

  /** Clients that come while the accepting thread is held up must not be refused. */
  private static final int BACKLOG = 1024;

  private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(5);

  private final ServerSocket listener;
  private final LedgerWriter ledger;
  private final FaultChoice faults;
  private final Stats stats = new Stats();
  private final Api api;
  private final Reporter reporter;
  private final long idleTimeoutNanos;
  private final Map<Thread, Connection> connections = new ConcurrentHashMap<>();
  private final Pacer pacer;
  private final Pacer wordPacer;
  private final Streaming streaming;
  private final Thread acceptor;
  private final Thread sweeper;

  /** Volatile: set by the closing thread, read by the acceptor. */
  private volatile boolean closed;

  private SandboxServer(SandboxOptions options, ServerSocket listener) {
    this.listener = listener;
    this.idleTimeoutNanos = options.idleTimeout().toNanos();
    this.faults = new FaultChoice(new FaultPlan(options.seed(), options.faults()));
    TaskBook book = new TaskBook();
    // opened first: it cuts a half-written line off
    this.ledger = new LedgerWriter(options.ledger());
    long lastN = restore(options.ledger(), book, faults);
    this.reporter = new Reporter(options, stats, System::nanoTime);
    Texts texts = new Texts(options, book, ledger);
    Creation creation = new Creation(options, book, faults, texts, ledger, stats, reporter, lastN);
    Reads reads = new Reads(options, book, listener.getLocalPort());
    this.api = new Api(options.apiKey(), creation, reads, texts, stats, connections::size);
    this.pacer = new Pacer(options.answerDelay().toNanos(), System::nanoTime);
    this.wordPacer = new Pacer(options.wordPause().toNanos(), System::nanoTime);
    this.streaming = new Streaming(options, wordPacer);
    this.sweeper = Thread.ofPlatform().daemon().name("sandbox-sweeper").unstarted(this::closeIdle);
    this.acceptor = Thread.ofPlatform().name("sandbox-accept").unstarted(this::accept);
  }

  /**
   * Opens the ledger, goes on with what it holds, and listens.
   *
   * @throws LedgerException when the ledger cannot be opened or is damaged
   * @throws UncheckedIOException when the port cannot be had
   */
  public static SandboxServer start(SandboxOptions options) {
    ServerSocket listener = listen(options.port());
    try {
      SandboxServer server = new SandboxServer(options, listener);
      server.acceptor.start();
      server.sweeper.start();
      return server;
    } catch (LedgerException e) {
      closeQuietly(listener);
      throw e;
    }
  }

  private static ServerSocket listen(int port) {
    try {
      ServerSocket listener = new ServerSocket();
      listener.setReuseAddress(true);
      listener.bind(
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
          BACKLOG);
      return listener;
    } catch (IOException e) {
      throw new UncheckedIOException("sandbox not started: port " + port + " cannot be had", e);
    }
  }

  /** Puts tasks, keys and counts of the ledger back; returns the last number used. */
  private static long restore(Path file, TaskBook book, FaultChoice faults) {
    if (!Files.exists(file)) {
      return 0;
    }
    Ledger before = Ledger.read(file);
    long lastN = 0;
    for (Ledger.Request request : before.requests()) {
      lastN = Math.max(lastN, request.n());
      Kind kind = Kind.ofPath(request.kind());
      if (kind != null) {
        faults.sighted(kind, request.bodySha256());
      }
      if (kind != null && request.created() && request.key() != null) {
        book.reserve(request.key(), new TaskBook.Slot(request.bodySha256()));
      }
    }
    for (Ledger.Task task : before.tasks()) {
      restore(book, task);
    }
    return lastN;
  }

  private static void restore(TaskBook book, Ledger.Task task) {
    Kind kind = Kind.ofPath(task.kind());
    if (kind == null) {
      return;
    }
    SandboxTask restored =
        new SandboxTask(
            kind,
            task.id(),
            task.createdAt().toEpochMilli(),
            task.visibleAt().toEpochMilli(),
            task.fails(),
            task.ref(),
            task.input());
    book.add(restored);
    TaskBook.Slot slot = task.key() == null ? null : book.slot(task.key());
    if (slot != null) {
      slot.task = restored;
    }
  }

  /** The port it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Base address of one kind, without a trailing slash. */
  public URI baseUri(Kind kind) {
    return URI.create("http://127.0.0.1:" + port() + "/" + kind.path());
  }

  /** Pages of tasks that this process was asked for: every call that looks for a task. */
  public long searches(Kind kind) {
    return stats.searches(kind);
  }

  /**
   * Queues faults for the next create requests of one kind; they go before scripts and the plan.
   *
   * @param names fault names, one per request
   */
  public void script(Kind kind, String... names) {
    script(request -> request.kind() == kind, names);
  }

  /** Queues faults for the next create requests that match. */
  public void script(Predicate<CreateRequest> requests, String... names) {
    List<Fault> queue = Arrays.stream(names).map(Fault::parse).toList();
    faults.queue(requests, queue);
  }

  private void accept() {
    while (!closed) {
      try {
        serve(listener.accept());
      } catch (IOException e) {
        if (!closed) {
          log.warn("sandbox could not take a connection; it goes on with the next", e);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try {
      socket.setTcpNoDelay(true);
      Connection connection =
          new Connection(
              socket, api, ledger, stats, pacer, streaming, idleTimeoutNanos, System::nanoTime);
      Thread thread =
          Thread.ofVirtual().name("sandbox-connection").unstarted(() -> run(connection));
      connections.put(thread, connection);
      thread.start();
      if (closed) {
        connection.breakOff();
      }
    } catch (IOException _) {
      closeQuietly(socket); // the client was gone before it was served
    }
  }

  /** One sweep a little more often than the timeout needs; a timer per read would cost more. */
  private void closeIdle() {
    long pauseNanos = Math.clamp(idleTimeoutNanos / 20, 1_000_000, 50_000_000);
    while (!closed) {
      LockSupport.parkNanos(this, pauseNanos);
      long now = System.nanoTime();
      connections.values().forEach(connection -> connection.closeIfIdle(now));
    }
  }

  private void run(Connection connection) {
    try {
      connection.run();
    } catch (LedgerException e) {
      log.error("connection dropped without an answer", e);
    } finally {
      connections.remove(Thread.currentThread());
    }
  }

  /** Breaks all connections, waits for their last ledger lines (bounded), closes. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    closeQuietly(listener);
    LockSupport.unpark(sweeper);
    try {
      acceptor.join(CLOSE_TIME_MAX);
      long deadline = System.nanoTime() + CLOSE_TIME_MAX.toNanos();
      connections.forEach(
          (thread, connection) -> {
            connection.breakOff();
            thread.interrupt();
          });
      for (Thread thread : connections.keySet()) {
        long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
        thread.join(Duration.ofMillis(left));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    reporter.close();
    pacer.close();
    wordPacer.close();
    ledger.close();
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception _) {
      // it is given up either way
    }
  }
}
