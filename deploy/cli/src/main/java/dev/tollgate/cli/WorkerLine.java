package dev.tollgate.cli;

import dev.tollgate.schema.kafka.GroupStanding;
import dev.tollgate.schema.store.Holding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one worker holds, as the broker and the database tell it: the two know it by one name. Put
 * together by one thread.
 */
final class WorkerLine {
  private final @Nullable String worker;
  private final Set<Integer> partitions = new TreeSet<>();
  private final Map<String, Integer> sendingTo = new TreeMap<>();
  private @Nullable String host;
  private @Nullable String instanceId;
  private @Nullable Instant until;
  private long lag;
  private int overdue;

  private WorkerLine(@Nullable String worker) {
    this.worker = worker;
  }

  /** One line for each name, in order; last, without a name, what nobody reads. */
  static List<WorkerLine> of(GroupStanding group, List<Holding> holdings) {
    Map<String, WorkerLine> byName = new TreeMap<>();
    for (GroupStanding.Member member : group.members()) {
      byName.computeIfAbsent(member.name(), WorkerLine::new).reads(member, group);
    }
    for (Holding holding : holdings) {
      byName.computeIfAbsent(holding.owner(), WorkerLine::new).sends(holding);
    }
    List<WorkerLine> lines = new ArrayList<>(byName.values());
    if (!group.unread().isEmpty()) {
      WorkerLine nobody = new WorkerLine(null);
      nobody.take(group.unread(), group);
      lines.add(nobody);
    }
    return lines;
  }

  private void reads(GroupStanding.Member member, GroupStanding group) {
    host = member.host().startsWith("/") ? member.host().substring(1) : member.host();
    instanceId = member.instanceId().orElse(null);
    take(member.partitions(), group);
  }

  private void take(Set<Integer> numbers, GroupStanding group) {
    partitions.addAll(numbers);
    numbers.forEach(number -> lag += group.lag().getOrDefault(number, 0L));
  }

  private void sends(Holding holding) {
    sendingTo.merge(holding.provider(), holding.sending(), Integer::sum);
    overdue += holding.overdue();
    if (until == null || holding.until().isAfter(until)) {
      until = holding.until();
    }
  }

  boolean isNobody() {
    return worker == null;
  }

  @Nullable String worker() {
    return worker;
  }

  @Nullable String host() {
    return host;
  }

  Set<Integer> partitions() {
    return partitions;
  }

  long lag() {
    return lag;
  }

  int sending() {
    return sendingTo.values().stream().mapToInt(Integer::intValue).sum();
  }

  int overdue() {
    return overdue;
  }

  @Nullable Instant until() {
    return until;
  }

  /** As JSON: every member is always there. */
  Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("worker", worker);
    members.put("host", host);
    members.put("instance_id", instanceId);
    members.put("partitions", partitions);
    members.put("lag", lag);
    members.put("sending", sending());
    members.put("sending_to", sendingTo);
    members.put("overdue", overdue);
    members.put("lease_until", until == null ? null : Shown.time(until));
    return members;
  }
}
