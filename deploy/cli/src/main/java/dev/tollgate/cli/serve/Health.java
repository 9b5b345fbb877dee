package dev.tollgate.cli.serve;

import dev.tollgate.schema.health.Vitals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whether a process lives and takes work, as JSON. Thread-safe.
 *
 * @see HttpEndpoint
 */
final class Health {
  private static final JsonMapper JSON = new JsonMapper();

  /** An answer: its HTTP status, and one JSON object. */
  record Answer(int status, String json) {}

  private enum Phase {
    STARTING,
    SERVING,
    DRAINING
  }

  private final Vitals vitals;
  private volatile Phase phase = Phase.STARTING; // written by the process's main and stop threads

  Health(Vitals vitals) {
    this.vitals = vitals;
  }

  void serving() {
    phase = Phase.SERVING;
  }

  void draining() {
    phase = Phase.DRAINING;
  }

  /** Whether restarting the process would not help. */
  Answer live() {
    return answer(vitals.alive());
  }

  /** Whether it takes work: started, not draining, alive, and able to. */
  Answer ready() {
    return answer(phase == Phase.SERVING && vitals.able());
  }

  private Answer answer(boolean good) {
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("status", good ? "up" : "down");
    said.put("phase", word(phase));
    said.put("failed", vitals.failures());
    Map<String, Object> dependencies = new LinkedHashMap<>();
    for (Vitals.Dependency one : vitals.dependencies()) {
      dependencies.put(one.name(), Map.of("status", word(one.standing()), "detail", one.detail()));
    }
    said.put("dependencies", dependencies);
    List<Object> loops = new ArrayList<>();
    for (Vitals.Turn turn : vitals.loops()) {
      Map<String, Object> loop = new LinkedHashMap<>();
      loop.put("loop", turn.loop());
      loop.put("turned_s_ago", seconds(turn.sinceRound()));
      loop.put("progress_s_ago", seconds(turn.sinceProgress()));
      loops.add(loop);
    }
    said.put("loops", loops);
    return new Answer(good ? 200 : 503, JSON.writeValueAsString(said) + "\n");
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static double seconds(Duration since) {
    return since.toMillis() / 1000.0;
  }
}
