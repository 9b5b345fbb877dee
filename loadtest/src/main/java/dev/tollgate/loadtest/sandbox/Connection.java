package dev.tollgate.loadtest.sandbox;

import dev.tollgate.loadtest.sandbox.HttpRequest.Malformed;
import dev.tollgate.loadtest.sandbox.Reply.Cut;
import dev.tollgate.loadtest.sandbox.Reply.Reset;
import dev.tollgate.loadtest.sandbox.Reply.Silence;
import dev.tollgate.loadtest.sandbox.Reply.Streamed;
import dev.tollgate.loadtest.sandbox.Reply.Whole;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.function.LongSupplier;

/** One client connection: requests in order, each answered as its reply says. One thread each. */
final class Connection implements Runnable {
  private final Socket socket;
  private final Api api;
  private final LedgerWriter ledger;
  private final Stats stats;
  private final RequestReader reader;
  private final Pacer pacer;
  private final Streaming streaming;
  private final Deadline deadline = new Deadline();
  private final OutputStream out;

  Connection(
      Socket socket,
      Api api,
      LedgerWriter ledger,
      Stats stats,
      Pacer pacer,
      Streaming streaming,
      long idleTimeoutNanos,
      LongSupplier nanoTime)
      throws IOException {
    this.socket = socket;
    this.api = api;
    this.ledger = ledger;
    this.stats = stats;
    this.pacer = pacer;
    this.streaming = streaming;
    this.reader = new RequestReader(socket, deadline, idleTimeoutNanos, nanoTime);
    this.out = socket.getOutputStream();
  }

  @Override
  public void run() {
    try (socket) {
      boolean goesOn = true;
      while (goesOn) {
        goesOn = serveNext();
      }
    } catch (IOException | InterruptedException _) {
      // the client went, or the server closes: both end a connection, and the ledger has the rest
    }
  }

  /** Closes the connection when its client let the deadline pass; called by the sweeper. */
  void closeIfIdle(long nowNanos) {
    if (deadline.expire(nowNanos)) {
      breakOff();
    }
  }

  /** Closes the socket under whatever is being done with it. */
  void breakOff() {
    try {
      socket.close();
    } catch (IOException _) {
      // it is given up either way
    }
  }

  private boolean serveNext() throws IOException, InterruptedException {
    HttpRequest request;
    try {
      request = reader.next();
    } catch (Malformed e) {
      out.write(HttpAnswer.error(e.status, e.code, String.valueOf(e.getMessage())).onTheWire(true));
      return false;
    }
    if (request == null) {
      return false;
    }
    Reply reply = api.reply(request);
    return reply.n() == 0
        ? send(reply, request.headers.close)
        : sendOnRecord(reply, request.headers.close);
  }

  private boolean send(Reply reply, boolean close) throws IOException, InterruptedException {
    pause(reply);
    return switch (reply.manner()) {
      case Whole(HttpAnswer answer) -> {
        out.write(answer.onTheWire(close));
        yield !close;
      }
      case Streamed stream -> streaming.send(stream, out) && !close;
      case Cut _, Reset _, Silence _ -> false;
    };
  }

  /** Answers a create request; whatever happens to the answer ends as a ledger line. */
  private boolean sendOnRecord(Reply reply, boolean close)
      throws IOException, InterruptedException {
    boolean answered = false;
    int status = 0;
    try {
      if (!(reply.manner() instanceof Silence)) {
        pause(reply);
      }
      switch (reply.manner()) {
        case Whole(HttpAnswer answer) -> {
          status = answer.status;
          if (reply.looksBack() && reader.clientGone()) {
            return false;
          }
          out.write(answer.onTheWire(close));
          answered = true;
        }
        case Cut(HttpAnswer answer, int bytes) -> {
          status = answer.status;
          byte[] all = answer.onTheWire(close);
          out.write(all, 0, Math.min(bytes, all.length));
          answered = bytes >= all.length;
          socket.shutdownOutput();
          close = true;
        }
        case Streamed stream -> {
          status = 200;
          if (reply.looksBack() && reader.clientGone()) {
            return false;
          }
          answered = streaming.send(stream, out);
          close |= !answered;
        }
        case Reset() -> {
          // with a linger time of zero, closing sends RST in the place of FIN
          socket.setSoLinger(true, 0);
          close = true;
        }
        case Silence() -> close = true;
      }
    } finally {
      ledger.answer(reply.n(), answered, status);
      stats.answer(answered);
    }
    if (reply.manner() instanceof Silence) {
      reader.waitUntilClientGoes();
    }
    return !close;
  }

  private void pause(Reply reply) throws InterruptedException {
    if (reply.paced()) {
      pacer.pause();
    }
    if (reply.delayMs() > 0) {
      Thread.sleep(reply.delayMs());
    }
  }
}
