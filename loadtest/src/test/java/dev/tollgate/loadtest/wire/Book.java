package dev.tollgate.loadtest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a stub made, and what it was asked: the ledger of a test. Thread-safe. */
final class Book {
  @GuardedBy("this")
  private final List<Task> tasks = new ArrayList<>();

  @GuardedBy("this")
  private final List<Create> creates = new ArrayList<>();

  @GuardedBy("this")
  private final Map<String, Integer> polls = new HashMap<>();

  @GuardedBy("this")
  private final List<String> cancelled = new ArrayList<>();

  @GuardedBy("this")
  private final List<String> faults = new ArrayList<>();

  /**
   * A task.
   *
   * @param key the reference that its create carried
   * @param hidden whether lists show it only when its create has come a second time
   */
  record Task(
      int n,
      String id,
      String caseName,
      Optional<String> key,
      JsonNode body,
      Instant created,
      boolean hidden) {}

  /** A create request that was seen, whatever became of it. */
  record Create(String caseName, Optional<String> key) {}

  /** Records a create; returns how many the case had before. */
  synchronized int create(Create create) {
    int before = creates(create.caseName()).size();
    creates.add(create);
    return before;
  }

  synchronized Task make(
      String idPattern,
      String caseName,
      Optional<String> key,
      JsonNode body,
      Instant at,
      boolean hidden) {
    int n = tasks.size() + 1;
    Task task =
        new Task(
            n,
            idPattern.formatted(n),
            caseName,
            key,
            body,
            at.truncatedTo(ChronoUnit.MILLIS),
            hidden);
    tasks.add(task);
    return task;
  }

  synchronized Optional<Task> byId(String id) {
    return tasks.stream().filter(task -> task.id().equals(id)).findFirst();
  }

  synchronized Optional<Task> byKey(String key) {
    return tasks.stream().filter(task -> task.key().equals(Optional.of(key))).findFirst();
  }

  /** Counts a question about a case's task; returns how many there were before. */
  synchronized int poll(String caseName) {
    return polls.merge(caseName, 1, Integer::sum) - 1;
  }

  synchronized int polls(String caseName) {
    return polls.getOrDefault(caseName, 0);
  }

  /** What a list shows, oldest first. */
  synchronized List<Task> listed() {
    List<Task> listed = new ArrayList<>();
    for (Task task : tasks) {
      if (!task.hidden() || creates(task.caseName()).size() > 1) {
        listed.add(task);
      }
    }
    return listed;
  }

  synchronized void cancel(Task task) {
    cancelled.add(task.id());
  }

  synchronized List<String> cancelled() {
    return List.copyOf(cancelled);
  }

  synchronized List<Task> tasks(String caseName) {
    return tasks.stream().filter(task -> task.caseName().equals(caseName)).toList();
  }

  synchronized List<Create> creates(String caseName) {
    return creates.stream().filter(create -> create.caseName().equals(caseName)).toList();
  }

  synchronized void fault(String fault) {
    faults.add(fault);
  }

  /** Requests that did not look as the provider documents them. */
  synchronized List<String> faults() {
    return List.copyOf(faults);
  }
}
