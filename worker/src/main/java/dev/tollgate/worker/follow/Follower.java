package dev.tollgate.worker.follow;

import dev.tollgate.schema.Code;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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

  private final Map<String, FollowLane> lanes = new HashMap<>();

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
      FollowLane lane =
          new FollowLane(most, policy.concurrency(), adapter.profile().limits().reads(), nanoTime);
      lanes.put(adapter.profile().name(), lane);
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
    FollowLane lane = Objects.requireNonNull(lanes.get(provider));
    int batch = adapter.statusBatch();
    int want = Math.min(lane.callsNow() * batch, DUE_MAX);
    if (want == 0) {
      return false;
    }
    List<Follow> due = store.follow(provider, want, policy.paceLeast(), policy.paceMost());
    List<Follow> here = here(adapter, due);
    if (adapter.streams().isPresent()) {
      streamer
          .orElseThrow(() -> new IllegalStateException("nobody reads streams here"))
          .takeUp(adapter, here, reading -> apart(lane, reading));
      return false;
    }
    // what is under way takes longer than its pace
    List<Follow> fresh = here.stream().filter(follow -> lane.take(follow.key())).toList();
    for (int from = 0; from < fresh.size(); from += batch) {
      List<Follow> some = fresh.subList(from, Math.min(fresh.size(), from + batch));
      lane.call();
      threads.newThread(() -> ask(adapter, some, lane)).start();
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
  private void apart(FollowLane lane, Runnable reading) {
    lane.call();
    threads
        .newThread(
            () -> {
              try {
                reading.run();
              } finally {
                lane.called();
              }
            })
        .start();
  }

  private void ask(ProviderAdapter adapter, List<Follow> some, FollowLane lane) {
    Map<String, StatusResult> results = Map.of();
    try {
      results = adapter.statuses(some.stream().map(Follow::remoteId).toList());
    } catch (RuntimeException e) {
      log.warn("asking about {} tasks failed; they are asked about again", some.size(), e);
    } finally {
      lane.called();
      lane.heard(results.values());
      for (Follow follow : some) {
        judgeOne(adapter, lane, follow, results.get(follow.remoteId()));
      }
    }
  }

  /** One that cannot be judged must not keep the others from it. */
  private void judgeOne(
      ProviderAdapter adapter, FollowLane lane, Follow follow, @Nullable StatusResult result) {
    try {
      judge(adapter, lane, follow, result);
    } catch (RuntimeException e) {
      lane.done(follow.key());
      log.warn("what was said of {} is not stored; it is asked about again", follow.key(), e);
    }
  }

  private void judge(
      ProviderAdapter adapter, FollowLane lane, Follow follow, @Nullable StatusResult result) {
    listener.asked(follow.provider(), word(result));
    if (result instanceof StatusResult.Status status && status.state() == TaskState.SUCCEEDED) {
      if (lane.mayWait()) {
        threads.newThread(() -> complete(adapter, lane, follow, status)).start();
      } else { // its address would age while it waits for its turn: it is asked for again
        lane.done(follow.key());
      }
      return;
    }
    lane.done(follow.key());
    if (result instanceof StatusResult.Status status && ENDS.contains(status.state())) {
      failed(follow, status);
    } else if (result instanceof StatusResult.NotFound) {
      completion.missing(adapter, follow);
    } else if (result instanceof StatusResult.UnknownWord(String word)) {
      completion.unfamiliar(follow, word);
    }
    // all else is asked about again at its pace
  }

  private void complete(
      ProviderAdapter adapter, FollowLane lane, Follow follow, StatusResult.Status status) {
    lane.fetch();
    try {
      completion.complete(adapter, follow, status);
    } catch (RuntimeException | IOException | StackOverflowError | OutOfMemoryError e) {
      log.warn("following {} failed; it stays accepted and is asked about again", follow.key(), e);
    } finally {
      lane.fetched();
      lane.done(follow.key());
    }
  }

  private static String word(@Nullable StatusResult result) {
    return switch (result) {
      case null -> "unavailable";
      case StatusResult.Status status -> status.state().name().toLowerCase(Locale.ROOT);
      case StatusResult.NotFound _ -> "not_found";
      case StatusResult.Unavailable _ -> "unavailable";
      case StatusResult.Throttled _ -> "throttled";
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
