package dev.tollgate.worker.follow;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.worker.loop.Step;
import dev.tollgate.worker.output.Completion;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.TaskError;
import dev.tollgate.worker.write.ChangeWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks about accepted tasks that are due and has the outputs of finished ones stored. {@link
 * #runOnce} is confined to its loop's thread.
 */
public final class Follower implements Step {
  private static final Logger log = LoggerFactory.getLogger(Follower.class);

  private final OperationStore store;
  private final List<ProviderAdapter> adapters;
  private final Completion completion;
  private final ChangeWriter writer;
  private final FollowPolicy policy;
  private final FollowListener listener;
  private final Map<String, Semaphore> permits = new HashMap<>();

  /** What this process is asking about or fetching at this moment. */
  private final Set<OperationKey> underWay = ConcurrentHashMap.newKeySet();

  private final ThreadFactory threads = Thread.ofVirtual().name("follow-", 0).factory();

  public Follower(
      OperationStore store,
      Collection<ProviderAdapter> adapters,
      Completion completion,
      ChangeWriter writer,
      FollowPolicy policy,
      FollowListener listener) {
    this.store = store;
    this.adapters = List.copyOf(adapters);
    this.completion = completion;
    this.writer = writer;
    this.policy = policy;
    this.listener = listener;
    for (ProviderAdapter adapter : adapters) {
      permits.put(adapter.profile().name(), new Semaphore(policy.concurrency()));
    }
  }

  @Override
  public boolean runOnce() {
    boolean more = false;
    for (ProviderAdapter adapter : adapters) {
      String provider = adapter.profile().name();
      Semaphore free = permits.getOrDefault(provider, new Semaphore(0));
      int want = free.availablePermits();
      List<Follow> due = store.follow(provider, want, policy.paceLeast(), policy.paceMost());
      for (Follow follow : due) {
        if (!underWay.add(follow.key())) {
          continue; // its download takes longer than its pace
        }
        free.acquireUninterruptibly(); // never waits: only this thread takes permits
        threads.newThread(() -> ask(adapter, follow, free)).start();
      }
      more |= want > 0 && due.size() == want;
    }
    return more;
  }

  private void ask(ProviderAdapter adapter, Follow follow, Semaphore permit) {
    try {
      judge(adapter, follow, adapter.status(follow.remoteId()));
    } catch (RuntimeException | IOException e) {
      log.warn("following {} failed; it stays accepted and is asked about again", follow.key(), e);
    } finally {
      underWay.remove(follow.key());
      permit.release();
    }
  }

  private void judge(ProviderAdapter adapter, Follow follow, StatusResult result)
      throws IOException {
    listener.asked(follow.provider(), word(result));
    switch (result) {
      case StatusResult.Status status -> {
        switch (status.state()) {
          case QUEUED, PROCESSING -> {} // asked again at its pace
          case SUCCEEDED -> completion.complete(adapter, follow, status);
          case FAILED, CANCELLED, EXPIRED -> failed(follow, status);
        }
      }
      // within the visibility lag "not found" is "not yet"; later it is a matter for a person,
      // never a reason to send
      case StatusResult.NotFound _, StatusResult.Unavailable _ -> {}
      case StatusResult.UnknownWord(String word) ->
          log.warn(
              "{} of {} is in a state we do not know: {}; it stays accepted",
              follow.remoteId(),
              follow.key(),
              word);
    }
  }

  private static String word(StatusResult result) {
    return switch (result) {
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
            + status.error().map(TaskError::toString).orElse("no reason given");
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
