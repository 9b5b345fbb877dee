package dev.tollgate.worker.follow;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.worker.loop.Notices;
import dev.tollgate.worker.loop.Step;
import dev.tollgate.worker.output.Completion;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.SendsTo;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.stream.Streamer;
import dev.tollgate.worker.write.ChangeWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks about accepted tasks that are due, several in one call where the provider has such a call,
 * and has the outputs of finished ones stored. {@link #runOnce} is confined to its loop's thread.
 */
public final class Follower implements Step {
  private static final Logger log = LoggerFactory.getLogger(Follower.class);

  /** Most tasks of one statement. */
  private static final int DUE_MAX = 5000;

  /** What this process has in hand at most. */
  private static final int UNDER_WAY_MAX = 20_000;

  private static final Set<TaskState> ENDS =
      Set.of(TaskState.FAILED, TaskState.CANCELLED, TaskState.EXPIRED);

  private final OperationStore store;
  private final List<ProviderAdapter> adapters;
  private final Completion completion;
  private final ChangeWriter writer;
  private final FollowPolicy policy;
  private final FollowListener listener;
  private final Notices notices;
  private final Optional<Streamer> streamer;

  /**
   * By provider: calls under way, and outputs that are fetched; a slow one holds up no question.
   */
  private final Map<String, Semaphore> calls = new HashMap<>();

  private final Map<String, Semaphore> fetches = new HashMap<>();

  /** What this process is asking about or fetching at this moment. */
  private final Set<OperationKey> underWay = ConcurrentHashMap.newKeySet();

  private final ThreadFactory threads = Thread.ofVirtual().name("follow-", 0).factory();

  /**
   * @param streamer takes up the streams of providers that stream their answers
   */
  public Follower(
      OperationStore store,
      Collection<ProviderAdapter> adapters,
      Completion completion,
      ChangeWriter writer,
      FollowPolicy policy,
      FollowListener listener,
      LongSupplier nanoTime,
      Optional<Streamer> streamer) {
    this.store = store;
    this.adapters = List.copyOf(adapters);
    this.completion = completion;
    this.writer = writer;
    this.policy = policy;
    this.listener = listener;
    this.notices = new Notices(nanoTime);
    this.streamer = streamer;
    for (ProviderAdapter adapter : adapters) {
      // a stream that is resumed takes as long as one that was just created
      int most =
          adapter.streams().isPresent()
              ? Math.max(policy.concurrency(), adapter.profile().concurrency())
              : policy.concurrency();
      calls.put(adapter.profile().name(), new Semaphore(most));
      fetches.put(adapter.profile().name(), new Semaphore(policy.concurrency()));
    }
  }

  @Override
  public boolean runOnce() {
    boolean more = false;
    for (ProviderAdapter adapter : adapters) {
      more |= follow(adapter);
    }
    return more;
  }

  private boolean follow(ProviderAdapter adapter) {
    String provider = adapter.profile().name();
    Semaphore free = calls.getOrDefault(provider, new Semaphore(0));
    int batch = adapter.statusBatch();
    int want = Math.min(free.availablePermits() * batch, DUE_MAX);
    // outputs that wait for their turn keep others from being asked about: no more may be waiting
    if (want == 0 || underWay.size() > UNDER_WAY_MAX) {
      return false;
    }
    List<Follow> due = store.follow(provider, want, policy.paceLeast(), policy.paceMost());
    List<Follow> here = here(adapter, due);
    if (adapter.streams().isPresent()) {
      streamer
          .orElseThrow(() -> new IllegalStateException("nobody reads streams here"))
          .takeUp(adapter, here, reading -> apart(free, reading));
      return false;
    }
    // what is under way takes longer than its pace
    List<Follow> fresh = here.stream().filter(follow -> underWay.add(follow.key())).toList();
    for (int from = 0; from < fresh.size(); from += batch) {
      List<Follow> some = fresh.subList(from, Math.min(fresh.size(), from + batch));
      free.acquireUninterruptibly(); // never waits: only this thread takes permits
      threads.newThread(() -> ask(adapter, some, free)).start();
    }
    return due.size() == want;
  }

  /** Whoever is configured now may have a task with the same id that is somebody else's. */
  private List<Follow> here(ProviderAdapter adapter, List<Follow> due) {
    SendsTo place = adapter.profile().sendsTo();
    List<Follow> elsewhere =
        due.stream().filter(follow -> !place.isPlaceOf(follow.sentTo())).toList();
    if (elsewhere.isEmpty()) {
      return due;
    }
    String provider = adapter.profile().name();
    elsewhere.forEach(_ -> listener.asked(provider, "elsewhere"));
    if (notices.due(provider)) {
      log.warn(
          "{} tasks of {} were created at another place than {} and are not asked about before that"
              + " is configured again: {} of {}, for one",
          elsewhere.size(),
          provider,
          place.place(),
          elsewhere.getFirst().remoteId(),
          elsewhere.getFirst().key());
    }
    return due.stream().filter(follow -> place.isPlaceOf(follow.sentTo())).toList();
  }

  /** Runs {@code reading} on a thread of its own; never waits, since no more are asked for. */
  private void apart(Semaphore free, Runnable reading) {
    free.acquireUninterruptibly();
    threads
        .newThread(
            () -> {
              try {
                reading.run();
              } finally {
                free.release();
              }
            })
        .start();
  }

  private void ask(ProviderAdapter adapter, List<Follow> some, Semaphore permit) {
    Map<String, StatusResult> results = Map.of();
    try {
      results = adapter.statuses(some.stream().map(Follow::remoteId).toList());
    } catch (RuntimeException e) {
      log.warn("asking about {} tasks failed; they are asked about again", some.size(), e);
    } finally {
      permit.release();
      for (Follow follow : some) {
        judgeOne(adapter, follow, results.get(follow.remoteId()));
      }
    }
  }

  /** One that cannot be judged must not keep the others from it. */
  private void judgeOne(ProviderAdapter adapter, Follow follow, @Nullable StatusResult result) {
    try {
      judge(adapter, follow, result);
    } catch (RuntimeException e) {
      underWay.remove(follow.key());
      log.warn("what was said of {} is not stored; it is asked about again", follow.key(), e);
    }
  }

  private void judge(ProviderAdapter adapter, Follow follow, @Nullable StatusResult result) {
    listener.asked(follow.provider(), word(result));
    if (result instanceof StatusResult.Status status && status.state() == TaskState.SUCCEEDED) {
      threads.newThread(() -> complete(adapter, follow, status)).start();
      return;
    }
    underWay.remove(follow.key());
    if (result instanceof StatusResult.Status status && ENDS.contains(status.state())) {
      failed(follow, status);
    } else if (result instanceof StatusResult.NotFound) {
      completion.missing(adapter, follow);
    } else if (result instanceof StatusResult.UnknownWord(String word)) {
      log.warn(
          "{} of {} is in a state we do not know: {}; it stays accepted",
          follow.remoteId(),
          follow.key(),
          word);
    }
    // all else is asked about again at its pace
  }

  private void complete(ProviderAdapter adapter, Follow follow, StatusResult.Status status) {
    Semaphore permit = fetches.getOrDefault(follow.provider(), new Semaphore(0));
    permit.acquireUninterruptibly();
    try {
      completion.complete(adapter, follow, status);
    } catch (RuntimeException | IOException e) {
      log.warn("following {} failed; it stays accepted and is asked about again", follow.key(), e);
    } finally {
      permit.release();
      underWay.remove(follow.key());
    }
  }

  private static String word(@Nullable StatusResult result) {
    return switch (result) {
      case null -> "unavailable";
      case StatusResult.Status status -> status.state().name().toLowerCase(Locale.ROOT);
      case StatusResult.NotFound _ -> "not_found";
      case StatusResult.Unavailable _ -> "unavailable";
      case StatusResult.UnknownWord _ -> "unknown_word";
    };
  }

  private void failed(Follow follow, StatusResult.Status status) {
    String why =
        status.state().name().toLowerCase(Locale.ROOT)
            + ": "
            + status.error().map(error -> "code " + error.code()).orElse("no reason given");
    write(
        Change.ofFollow(
            follow,
            OperationState.FAILED,
            Code.PROVIDER_FAILED,
            null,
            null,
            Duration.ZERO,
            Evidence.note(Evidence.Source.STATUS, Code.PROVIDER_FAILED, why)));
  }

  private void write(Change change) {
    writer.write(change, () -> {});
  }
}
