package dev.tollgate.schema.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A body that is taken piece by piece, the next when the one before was taken, each within a time:
 * an input stream would wait for ever on a connection that died silently. One thread takes.
 */
final class StreamBody implements BodySubscriber<StreamBody>, AutoCloseable {
  /** A piece, or why there is none any more; at most one piece and one end are in the queue. */
  private record Piece(List<ByteBuffer> bytes, @Nullable Throwable failure, boolean last) {}

  private final LinkedBlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
  private volatile Flow.@Nullable Subscription subscription;

  @Override
  public CompletionStage<StreamBody> getBody() {
    return CompletableFuture.completedStage(this);
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> bytes) {
    pieces.add(new Piece(bytes, null, false));
  }

  @Override
  public void onError(Throwable failure) {
    pieces.add(new Piece(List.of(), failure, true));
  }

  @Override
  public void onComplete() {
    pieces.add(new Piece(List.of(), null, true));
  }

  /**
   * The next piece; null at the end.
   *
   * @throws IOException if the connection was cut, or nothing came in time
   */
  @Nullable List<ByteBuffer> next(Duration within) throws IOException, InterruptedException {
    Piece piece = pieces.poll(within.toNanos(), TimeUnit.NANOSECONDS);
    if (piece == null) {
      throw new IOException("nothing was heard for " + within);
    }
    if (piece.failure != null) {
      throw new IOException("the connection was cut", piece.failure);
    }
    if (piece.last) {
      return null;
    }
    Flow.Subscription from = subscription;
    if (from != null) {
      from.request(1);
    }
    return piece.bytes;
  }

  /** Lets go of the connection. */
  @Override
  public void close() {
    Flow.Subscription from = subscription;
    if (from != null) {
      from.cancel();
    }
  }
}
