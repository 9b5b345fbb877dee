package dev.tollgate.schema.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.RequestHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who waits for which result. Thread-safe; futures are completed and listeners called outside the
 * lock, by the thread that brings the news.
 */
final class Awaited {
  private static final Logger log = LoggerFactory.getLogger(Awaited.class);

  private final Consumer<ResultEvent> progress;
  private final Object lock = new Object();

  /** What is open, by key; a key has a second request only where its parameters differ. */
  @GuardedBy("lock")
  private final Map<OperationKey, Waiting> open = new HashMap<>();

  /** The latest ends that were read, of whatever operation. */
  @GuardedBy("lock")
  private final Ends ends;

  @GuardedBy("lock")
  private boolean closed;

  /** The requests of one key, and the newest version that was heard of it. */
  private static final class Waiting {
    private final List<Request> requests = new ArrayList<>(1);
    private long version = -1;
  }

  /** One try to have a request taken in; two tries of the same request are not equal. Immutable. */
  static final class Request {
    private final OperationKey key;
    private final RequestHash hash;
    private final @Nullable OperationKey retryOf;

    /** Id of its event, which a dead letter repeats. */
    private final String eventId;

    private final CompletableFuture<Void> published = new CompletableFuture<>();
    private final CompletableFuture<Result> result = new CompletableFuture<>();

    private Request(RequestWriter.Ready ready) {
      this.key = ready.key();
      this.hash = ready.requestHash();
      this.retryOf = ready.retryOf();
      this.eventId = String.valueOf(ready.message().headers().get("ce_id"));
    }

    /** Futures of the caller's own. */
    Submission submission() {
      return new Submission(key, published.copy(), result.copy(), retryOf);
    }
  }

  /**
   * What to do with a request.
   *
   * @param publish false where it is open already
   */
  record Joined(Request request, boolean publish) {}

  /** Forgets the eldest beyond a number. */
  private static final class Ends extends LinkedHashMap<OperationKey, ResultEvent> {
    private static final long serialVersionUID = 1L;
    private final int most;

    Ends(int most) {
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<OperationKey, ResultEvent> eldest) {
      return size() > most;
    }
  }

  Awaited(int resultsKept, Consumer<ResultEvent> progress) {
    this.ends = new Ends(resultsKept);
    this.progress = progress;
  }

  /**
   * Waits for the result of a request from now on, together with whoever waits for it already.
   *
   * @throws ClientException.Closed if the client is closed
   */
  Joined join(RequestWriter.Ready ready) {
    OperationKey key = ready.key();
    Request request = new Request(ready);
    ResultEvent end;
    synchronized (lock) {
      if (closed) {
        throw new ClientException.Closed(key);
      }
      end = ends.get(key);
      if (end == null) {
        Waiting waiting = open.computeIfAbsent(key, _ -> new Waiting());
        for (Request other : waiting.requests) {
          if (other.hash.equals(request.hash)) {
            return new Joined(other, false);
          }
        }
        waiting.requests.add(request);
        return new Joined(request, true);
      }
    }
    request.result.complete(result(request, end));
    return new Joined(request, true); // nothing may come of it, but that is for intake to say
  }

  /** An event was read. */
  void told(ResultEvent event) {
    boolean ended =
        switch (event.state()) {
          case COMPLETE, FAILED -> true;
          case ACCEPTED, UNKNOWN -> false;
        };
    Waiting waiting;
    synchronized (lock) {
      if (ended) {
        ends.putIfAbsent(event.key(), event);
        waiting = open.remove(event.key());
      } else {
        waiting = open.get(event.key());
        if (waiting == null || waiting.version >= event.version()) {
          return; // nobody's, or a repeat
        }
        waiting.version = event.version();
      }
    }
    if (!ended) {
      tell(event);
    } else if (waiting != null) {
      waiting.requests.forEach(request -> request.result.complete(result(request, event)));
    }
  }

  private void tell(ResultEvent event) {
    try {
      progress.accept(event);
    } catch (RuntimeException e) {
      log.error("whoever was told that {} is {} failed", event.key(), event.state().wireName(), e);
    }
  }

  /** A dead letter was read. */
  void refused(OperationKey key, String eventId, @Nullable Code code, String message) {
    for (Request request : take(key, open -> open.eventId.equals(eventId))) {
      request.published.complete(null); // it was read there
      request.result.complete(new Result.Refused(key, code, message));
    }
  }

  /** The broker has a request. */
  void published(Request request) {
    request.published.complete(null);
  }

  /** Nobody knows whether the broker has a request. */
  void notPublished(Request request, Throwable cause) {
    take(request.key, open -> open == request);
    ClientException.NotPublished why = new ClientException.NotPublished(request.key, cause);
    request.published.completeExceptionally(why);
    request.result.completeExceptionally(why); // unless it was told all the same
  }

  /** Takes out the requests of a key that fit. */
  private List<Request> take(OperationKey key, Predicate<Request> which) {
    List<Request> taken = new ArrayList<>(1);
    synchronized (lock) {
      Waiting waiting = open.get(key);
      if (waiting != null) {
        for (Request request : waiting.requests) {
          if (which.test(request)) {
            taken.add(request);
          }
        }
        waiting.requests.removeAll(taken);
        if (waiting.requests.isEmpty()) {
          open.remove(key);
        }
      }
    }
    return taken;
  }

  /** Takes nothing more in. */
  void close() {
    synchronized (lock) {
      closed = true;
    }
  }

  /** Ends the wait of all that is open, after {@link #close}. */
  void abandon() {
    List<Waiting> left;
    synchronized (lock) {
      left = List.copyOf(open.values());
      open.clear();
    }
    for (Waiting waiting : left) {
      for (Request request : waiting.requests) {
        ClientException.Closed why = new ClientException.Closed(request.key);
        request.published.completeExceptionally(why);
        request.result.completeExceptionally(why);
      }
    }
  }

  /**
   * What an end means for a request. The hash is missing where an earlier build told: then the key
   * has to do.
   */
  private static Result result(Request request, ResultEvent end) {
    RequestHash hash = end.details().requestHash();
    if (hash != null && !hash.equals(request.hash)) {
      return new Result.Refused(
          request.key,
          Code.KEY_PARAMETERS_MISMATCH,
          "the operation ended with the result of a request with other parameters, which came first");
    }
    ResultEvent.Output output = end.output();
    return output == null ? new Result.Failed(end) : new Result.Completed(output, end);
  }
}
