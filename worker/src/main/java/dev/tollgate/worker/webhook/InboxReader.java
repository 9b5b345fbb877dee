package dev.tollgate.worker.webhook;

import dev.tollgate.schema.config.WebhooksConfig;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Inbox;
import dev.tollgate.schema.store.Inbox.Standing;
import dev.tollgate.schema.store.Inbox.Taken;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.worker.loop.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whom events concern: an accepted operation is asked about at once, an unknown one looked
 * at, a task that its operation does not have is a suspected duplicate. {@link #runOnce} is
 * confined to its loop's thread.
 */
public final class InboxReader implements Step {
  private static final Logger log = LoggerFactory.getLogger(InboxReader.class);

  private static final int MOST = 200;

  /** Should this process die, what it took is due again after this. */
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** Rows of one statement that forgets, and how far apart its turns are. */
  private static final int FORGOTTEN_MOST = 1000;

  private static final long FORGET_EVERY_NANOS = Duration.ofMinutes(10).toNanos();

  /** What others do on the same account is looked at a few times an hour, and in the end let go. */
  private static final Inbox.Pauses PAUSES =
      new Inbox.Pauses(Duration.ofMillis(200), Duration.ofSeconds(30), Duration.ofMinutes(30));

  /** Words that contradict an operation that is complete. */
  private static final Set<String> ENDS = Set.of("failed", "cancelled", "expired");

  private final Inbox inbox;
  private final OperationStore store;
  private final WebhooksConfig config;
  private final WebhookListener listener;
  private final LongSupplier nanoTime;

  /** When the next turn of forgetting is. Loop's thread only. */
  private long forgetAt;

  public InboxReader(
      Inbox inbox,
      OperationStore store,
      WebhooksConfig config,
      WebhookListener listener,
      LongSupplier nanoTime) {
    this.inbox = inbox;
    this.store = store;
    this.config = config;
    this.listener = listener;
    this.nanoTime = nanoTime;
    this.forgetAt = nanoTime.getAsLong();
  }

  @Override
  public boolean runOnce() {
    List<Taken> taken = inbox.take(MOST, LEASE);
    List<Inbox.Id> done = new ArrayList<>();
    List<Inbox.Id> later = new ArrayList<>();
    List<Map<OperationKey, String>> reports = new ArrayList<>();
    for (Taken event : taken) {
      (judge(event, reports) ? done : later).add(event.id());
    }
    // an event ends when those who must hear of it have: a repeat of these changes nothing
    for (Map<OperationKey, String> report : reports) {
      store.lateEvidence(report).forEach(key -> listener.suspected());
    }
    inbox.done(done);
    for (Inbox.Id id : inbox.later(later, PAUSES, config.unmatchedFor())) {
      listener.unmatched(id.provider());
      log.warn(
          "event {} of {} belongs to no operation known here, and is not looked at again",
          id.event(),
          id.provider());
    }
    return taken.size() == MOST || forget();
  }

  /** Only where nothing waits to be read. Whether there is more to forget at once. */
  private boolean forget() {
    long now = nanoTime.getAsLong();
    if (now - forgetAt < 0) {
      return false;
    }
    if (inbox.forget(FORGOTTEN_MOST, config.keptFor()) == FORGOTTEN_MOST) {
      return true;
    }
    forgetAt = now + FORGET_EVERY_NANOS;
    return false;
  }

  /** Whether the event is over; else it is to be taken again later. */
  private boolean judge(Taken event, List<Map<OperationKey, String>> reports) {
    OperationKey key = event.operation();
    Standing standing = event.standing();
    if (key == null || standing == null) {
      return false;
    }
    String named = event.remoteId() == null ? "" : event.remoteId();
    boolean own = named.isEmpty() || named.equals(standing.remoteId());
    switch (OperationState.of(standing.state())) {
      case SENDING -> {
        return false; // its own answer comes first
      }
      case ACCEPTED -> {
        if (own) {
          return standing.woken();
        }
        report(key, named, reports);
      }
      case UNKNOWN, PREPARED -> report(key, named, reports);
      case COMPLETE, FAILED -> {
        if (!own) {
          report(key, named, reports);
        } else {
          compare(event, key, standing.state());
        }
      }
    }
    return true;
  }

  private static void report(
      OperationKey key, String remoteId, List<Map<OperationKey, String>> reports) {
    for (Map<OperationKey, String> report : reports) {
      String before = report.putIfAbsent(key, remoteId);
      if (before == null || before.equals(remoteId)) {
        return;
      }
    }
    Map<OperationKey, String> more = new LinkedHashMap<>();
    more.put(key, remoteId);
    reports.add(more);
  }

  /** History is not rewritten; that somebody says otherwise is for people. */
  private void compare(Taken event, OperationKey key, String state) {
    String word = event.word() == null ? "" : event.word();
    if ((state.equals("complete") && ENDS.contains(word))
        || (state.equals("failed") && word.equals("succeeded"))) {
      listener.contradicted(event.id().provider());
      log.warn(
          "{} says that task {} of {} is {}, but the operation is {}: it stays so",
          event.id().provider(),
          event.remoteId(),
          key,
          word,
          state);
    }
  }
}
