package dev.tollgate.loadtest.sandbox;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Every task, by the ways it can be found. Thread-safe. */
final class TaskBook {
  /** A place in the list: creation time, then id. */
  record Position(long createdAtMs, String id) implements Comparable<Position> {
    private static final Comparator<Position> ORDER =
        Comparator.comparingLong(Position::createdAtMs).thenComparing(Position::id);

    @Override
    public int compareTo(Position other) {
      return ORDER.compare(this, other);
    }
  }

  /** What one idempotency key stands for: a body, and its task once there is one. */
  static final class Slot {
    final String bodySha256;

    /** Volatile: set once by the request that reserved the slot, read by re-sends. */
    volatile @Nullable SandboxTask task;

    Slot(String bodySha256) {
      this.bodySha256 = bodySha256;
    }
  }

  private final Map<String, SandboxTask> byId = new ConcurrentHashMap<>();
  private final Map<String, List<SandboxTask>> byReference = new ConcurrentHashMap<>();
  private final Map<String, Slot> byKey = new ConcurrentHashMap<>();
  private final ConcurrentNavigableMap<Position, SandboxTask> list = new ConcurrentSkipListMap<>();

  void add(SandboxTask task) {
    byId.put(task.id, task);
    if (task.kind == Kind.LOOKUP && task.reference != null) {
      byReference.computeIfAbsent(task.reference, _ -> new CopyOnWriteArrayList<>()).add(task);
    }
    if (task.kind == Kind.LISTED) {
      list.put(new Position(task.createdAtMs, task.id), task);
    }
  }

  @Nullable SandboxTask byId(String id) {
    return byId.get(id);
  }

  List<SandboxTask> byReference(String reference) {
    return byReference.getOrDefault(reference, List.of());
  }

  /** Tasks of a window in order, both ends included, beginning behind {@code after} if given. */
  Iterable<SandboxTask> window(long fromMs, long toMs, @Nullable Position after) {
    Position first = new Position(fromMs, "");
    Position end = new Position(toMs == Long.MAX_VALUE ? toMs : toMs + 1, "");
    boolean resumed = after != null && after.compareTo(first) > 0;
    Position start = resumed && after != null ? after : first;
    return start.compareTo(end) >= 0
        ? List.of()
        : list.subMap(start, !resumed, end, false).values();
  }

  /** Reserves a key, or returns what it stands for already. */
  @Nullable Slot reserve(String key, Slot slot) {
    return byKey.putIfAbsent(key, slot);
  }

  @Nullable Slot slot(String key) {
    return byKey.get(key);
  }

  void release(String key, Slot slot) {
    byKey.remove(key, slot);
  }

  int size() {
    return byId.size();
  }
}
