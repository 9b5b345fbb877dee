package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.RawH2Server;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** Both protocols behind one face: a server that gives one reply to everything. */
enum Wire {
  HTTP_1_1(HttpProtocol.HTTP_1_1) {
    @Override
    Served serve(Reply reply) throws IOException {
      RawServer server = new RawServer((_, socket) -> reply.write(socket));
      return new Served(
          server.base("/blind"), server::posts, () -> server.requests().size(), server);
    }
  },
  HTTP_2(HttpProtocol.HTTP_2) {
    @Override
    Served serve(Reply reply) throws IOException {
      RawH2Server server =
          new RawH2Server((request, peer) -> reply.write(request.streamId(), peer));
      return new Served(
          server.base("/blind"), server::posts, () -> server.requests().size(), server);
    }
  };

  private final HttpProtocol protocol;

  Wire(HttpProtocol protocol) {
    this.protocol = protocol;
  }

  abstract Served serve(Reply reply) throws IOException;

  HttpProtocol protocol() {
    return protocol;
  }

  /** A server under way, and what it has counted. */
  record Served(URI base, LongSupplier posts, IntSupplier requests, Closeable server)
      implements Closeable {
    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
