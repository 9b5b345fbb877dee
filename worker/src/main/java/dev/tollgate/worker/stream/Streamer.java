package dev.tollgate.worker.stream;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Appended;
import dev.tollgate.schema.store.Chunks.Standing;
import dev.tollgate.schema.store.Chunks.Stream;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.worker.loop.Backoff;
import dev.tollgate.worker.loop.Step;
import dev.tollgate.worker.output.Completion;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.stream.StreamEvent;
import dev.tollgate.worker.provider.stream.StreamReader;
import dev.tollgate.worker.provider.stream.StreamResult;
import dev.tollgate.worker.provider.stream.Streams;
import dev.tollgate.worker.write.ChangeWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads streams to their ends, see the package. Thread-safe; each stream is read on the thread of
 * whoever asks for it. {@link #runOnce} says that the streams which are read here go on, and is to
 * be repeated several times within a lease.
 */
public final class Streamer implements Step {
  private static final Logger log = LoggerFactory.getLogger(Streamer.class);

  private final Chunks chunks;
  private final ChunkWriter chunkWriter;
  private final ChangeWriter changes;
  private final Completion completion;
  private final StreamedOutput output;
  private final StreamPolicy policy;
  private final StreamListener listener;

  /** What is read here. */
  private final Map<OperationKey, Stream> live = new ConcurrentHashMap<>();

  /** Outputs are put together in memory: few at once. */
  private final Semaphore finishing = new Semaphore(4);

  private final CountDownLatch stopping = new CountDownLatch(1);

  public Streamer(
      Chunks chunks,
      ChunkWriter chunkWriter,
      ChangeWriter changes,
      Completion completion,
      StreamPolicy policy,
      StreamListener listener) {
    this.chunks = chunks;
    this.chunkWriter = chunkWriter;
    this.changes = changes;
    this.completion = completion;
    this.output = new StreamedOutput(chunks, completion, this::write);
    this.policy = policy;
    this.listener = listener;
  }

  @Override
  public boolean runOnce() {
    chunks.renew(List.copyOf(live.values()), policy.lease());
    return false;
  }

  /** How often {@link #runOnce} is to be run. */
  public Duration renewEvery() {
    return policy.lease().dividedBy(4);
  }

  /** How many streams are read here. */
  public int live() {
    return live.size();
  }

  /** Streams that another worker can resume are left to it from now on. Any thread. */
  public void stop() {
    stopping.countDown();
  }

  /**
   * Sends a create and reads its answer to the end of the stream.
   *
   * @param accepted what makes the operation accepted, once the provider has named its task
   * @param follow the accepted operation, given the name of its task
   * @return what became of the create, if it was not accepted: nothing is written then
   */
  public Optional<SubmitResult> create(
      ProviderAdapter adapter,
      Submission submission,
      Function<SubmitResult, Change> accepted,
      Function<String, Follow> follow) {
    Streams streams = adapter.streams().orElseThrow();
    Created created = new Created(accepted, follow, streams);
    try {
      StreamResult result = open(streams, submission, created);
      Follow begun = created.follow;
      Reading reading = created.reading;
      if (begun == null || reading == null) {
        return result instanceof StreamResult.NotAccepted(SubmitResult refused)
            ? Optional.of(refused)
            : Optional.empty();
      }
      conclude(adapter, streams, begun, reading, result);
      return Optional.empty();
    } finally {
      Follow begun = created.follow;
      if (begun != null) {
        live.remove(begun.key());
      }
    }
  }

  private static StreamResult open(Streams streams, Submission submission, Created created) {
    try {
      return streams.open(submission, created);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      if (created.follow == null) {
        throw e; // what became of the create is for the caller to say
      }
      log.error("reading the stream of {} failed in the adapter", submission.key(), e);
      return new StreamResult.Cut("adapter failed: " + e.getClass().getName());
    }
  }

  /**
   * Takes up accepted operations that nobody was heard to read: finishes those that have ended,
   * resumes the others where that can be.
   *
   * @param start runs what reads a stream, on a thread of its own
   */
  public void takeUp(
      ProviderAdapter adapter, Collection<Follow> follows, Consumer<Runnable> start) {
    Streams streams = adapter.streams().orElseThrow();
    List<Follow> idle = follows.stream().filter(follow -> !live.containsKey(follow.key())).toList();
    Map<OperationKey, Standing> standings =
        chunks.standings(idle.stream().map(Streamer::stream).toList());
    if (streams.resumable()) {
      // before another worker finds them due as well
      chunks.renew(idle.stream().map(Streamer::stream).toList(), policy.lease());
    }
    for (Follow follow : idle) {
      Standing standing = standings.getOrDefault(follow.key(), Standing.NONE);
      if (live.putIfAbsent(follow.key(), stream(follow)) == null) {
        start.accept(() -> takeUp(adapter, streams, follow, standing));
      }
    }
  }

  private void takeUp(ProviderAdapter adapter, Streams streams, Follow follow, Standing standing) {
    try {
      if (standing.end().isPresent()) {
        finish(follow, "");
      } else if (!streams.resumable()) {
        if (standing.quiet().compareTo(policy.quietMax()) > 0) {
          cut(follow, standing, "nobody reads it any more");
        }
      } else if (!isStopping()) {
        Reading reading = reading(follow, standing, streams);
        conclude(adapter, streams, follow, reading, resume(streams, follow, standing, reading));
      }
    } finally {
      live.remove(follow.key());
    }
  }

  private Reading reading(Follow follow, Standing standing, Streams streams) {
    return new Reading(
        new LiveStream(stream(follow), chunkWriter),
        chunks,
        standing,
        streams.consecutive(),
        () -> streams.resumable() && isStopping());
  }

  private StreamResult resume(Streams streams, Follow follow, Standing standing, Reading reading) {
    listener.resumed(follow.provider());
    Long cursor = standing.cursor();
    return streams.resume(
        follow.remoteId(),
        cursor == null ? OptionalLong.empty() : OptionalLong.of(cursor),
        reading);
  }

  /** Goes on from where a stream was read to, until it ends or others have to see to it. */
  private void conclude(
      ProviderAdapter adapter, Streams streams, Follow follow, Reading first, StreamResult result) {
    Reading reading = first;
    StreamResult read = result;
    int reached = 0;
    int vain = 0;
    try {
      while (true) {
        Appended appended = reading.flush();
        if (appended == Appended.STALE) {
          log.info("{} is no longer accepted with {}", follow.key(), follow.remoteId());
          return;
        }
        if (appended == Appended.CONFLICT) {
          conflict(follow, reading.conflict());
          return;
        }
        if (read instanceof StreamResult.Missing) {
          listener.ended(follow.provider(), "missing");
          completion.missing(adapter, follow);
          return;
        }
        Standing standing =
            chunks.standings(List.of(stream(follow))).getOrDefault(follow.key(), Standing.NONE);
        if (standing.end().isPresent()) {
          finish(follow, read instanceof StreamResult.Ended(String note) ? note : "");
          return;
        }
        String why = read instanceof StreamResult.Cut(String said) ? said : "it was not read on";
        if (!streams.resumable()) {
          cut(follow, standing, why);
          return;
        }
        vain = standing.next() > reached ? 0 : vain + 1;
        reached = standing.next();
        if (vain > policy.resumesMax()) {
          completion.cut(follow, "after %d chunks: %s".formatted(reached, why));
          return;
        }
        if (!pause(vain)) {
          live.remove(follow.key()); // or it would be kept for this worker once more
          chunks.handOver(List.of(stream(follow)));
          return;
        }
        reading = reading(follow, standing, streams);
        read = resume(streams, follow, standing, reading);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.warn("reading the stream of {} failed; it is taken up again", follow.key(), e);
    }
  }

  /** False if this worker is to end. */
  private boolean pause(int vain) throws InterruptedException {
    Duration pause = Backoff.of(vain + 1, policy.pause(), policy.pauseMax());
    return !stopping.await(pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  private void finish(Follow follow, String note) {
    finishing.acquireUninterruptibly();
    try {
      output.finish(follow, note);
      listener.ended(follow.provider(), "ended");
    } catch (StreamedOutput.TooLong e) {
      decide(follow, Code.OUTPUT_INVALID, String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      log.warn("the output of {} was not stored; that is tried again", follow.key(), e);
    } finally {
      finishing.release();
    }
  }

  private void cut(Follow follow, Standing standing, String why) {
    listener.ended(follow.provider(), "cut");
    log.warn(
        "the stream of {} broke off after {} chunks and cannot be resumed, a person decides: {}",
        follow.key(),
        standing.next(),
        why);
    decide(follow, Code.STREAM_CUT, "after %d chunks: %s".formatted(standing.next(), why));
  }

  private void conflict(Follow follow, String seen) {
    String why = seen.isEmpty() ? "other bytes than before at an offset that is stored" : seen;
    listener.ended(follow.provider(), "conflict");
    log.warn("the stream of {} contradicts itself, a person decides: {}", follow.key(), why);
    decide(follow, Code.STREAM_CONFLICT, why);
  }

  private void decide(Follow follow, Code code, String why) {
    write(
        Change.ofFollow(
            follow,
            OperationState.ACCEPTED,
            code,
            code,
            null,
            Duration.ZERO,
            Evidence.note(Evidence.Source.OUTPUT, code, why)));
  }

  private void write(Change change) {
    changes.write(change, () -> {});
  }

  private static Stream stream(Follow follow) {
    return new Stream(follow.key(), follow.seq(), follow.remoteId());
  }

  /** Reads the answer to a create. Confined to its thread. */
  private final class Created implements StreamReader {
    private final Function<SubmitResult, Change> accepted;
    private final Function<String, Follow> named;
    private final Streams streams;
    private @Nullable Follow follow;
    private @Nullable Reading reading;

    Created(
        Function<SubmitResult, Change> accepted, Function<String, Follow> named, Streams streams) {
      this.accepted = accepted;
      this.named = named;
      this.streams = streams;
    }

    @Override
    public boolean accepted(SubmitResult result) {
      Change change = accepted.apply(result).wakingAfter(policy.lease());
      String remoteId = change.remoteId();
      if (remoteId == null) {
        throw new IllegalStateException(change.key() + " was accepted without a task");
      }
      Follow begun = named.apply(remoteId);
      CountDownLatch stored = new CountDownLatch(1);
      changes.write(change, stored::countDown);
      try {
        if (!stored.await(policy.lease().toNanos(), TimeUnit.NANOSECONDS)) {
          throw new IllegalStateException(change.key() + ": that it was accepted is not stored");
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return false;
      }
      follow = begun;
      live.put(begun.key(), stream(begun));
      reading = Streamer.this.reading(begun, Standing.NONE, streams);
      return true;
    }

    @Override
    public boolean event(StreamEvent event) {
      return reading != null && reading.event(event);
    }
  }
}
