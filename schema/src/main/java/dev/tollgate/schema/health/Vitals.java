package dev.tollgate.schema.health;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The signs of life of one process. Thread-safe. */
public final class Vitals implements Liveness {
  /**
   * A loop that has not turned for so long hangs: the longest wait in one, of a relay for a broker
   * that is away, is three minutes. Kafka itself gives a consumer as long between two polls.
   */
  public static final Duration HANGS_AFTER = Duration.ofMinutes(5);

  /**
   * A loop that turns, and fails for so long although all that it depends on is there, may do
   * better in another process.
   */
  public static final Duration STUCK_AFTER = Duration.ofMinutes(10);

  private final Consumer<String> onFailure;
  private final Map<String, String> failures = new ConcurrentHashMap<>();
  private final List<Supplier<Turn>> loops = new CopyOnWriteArrayList<>();
  private final List<Supplier<Dependency>> dependencies = new CopyOnWriteArrayList<>();

  /**
   * A loop's last signs.
   *
   * @param sinceRound how long ago a round ended, or a poll was made, whether or not it failed
   * @param sinceProgress how long ago a round ended that did not fail
   */
  public record Turn(String loop, Duration sinceRound, Duration sinceProgress) {}

  /** How something that the process depends on is doing, as far as it can tell. */
  public enum Standing {
    UP,
    /** It is away, which costs speed alone. */
    DEGRADED,
    DOWN
  }

  /**
   * Something that the process depends on.
   *
   * @param detail what that is judged by, for people
   */
  public record Dependency(String name, Standing standing, String detail) {}

  /**
   * @param onFailure hears of each component that cannot go on, once; must not throw
   */
  public Vitals(Consumer<String> onFailure) {
    this.onFailure = onFailure;
  }

  @Override
  public void failed(String component, String reason) {
    if (failures.putIfAbsent(component, reason) == null) {
      onFailure.accept(component);
    }
  }

  /** Has a loop watched, from now on. */
  public void watch(String loop, Supplier<Duration> sinceRound, Supplier<Duration> sinceProgress) {
    loops.add(() -> new Turn(loop, sinceRound.get(), sinceProgress.get()));
  }

  /** Has something asked about that the process depends on, from now on; answered at once. */
  public void dependsOn(Supplier<Dependency> dependency) {
    dependencies.add(dependency);
  }

  /** Reasons by the component that cannot go on. */
  public Map<String, String> failures() {
    return new TreeMap<>(failures);
  }

  public List<Turn> loops() {
    return loops.stream().map(Supplier::get).toList();
  }

  public List<Dependency> dependencies() {
    return dependencies.stream().map(Supplier::get).toList();
  }

  /** Whether another process in its place would do no better. */
  public boolean alive() {
    boolean allThere = dependencies().stream().allMatch(one -> one.standing() != Standing.DOWN);
    return failures.isEmpty()
        && loops().stream()
            .allMatch(
                turn ->
                    turn.sinceRound().compareTo(HANGS_AFTER) < 0
                        && (!allThere || turn.sinceProgress().compareTo(STUCK_AFTER) < 0));
  }

  /** Whether it can work: alive, and nothing that it cannot do without is away. */
  public boolean able() {
    return alive() && dependencies().stream().allMatch(one -> one.standing() != Standing.DOWN);
  }
}
