package dev.tollgate.loadtest.bench;

import java.util.List;
import java.util.Map;

/**
 * What to measure.
 *
 * @param operations operations of each leg that are measured
 * @param warmUp operations of each leg before those: the compiler is at work, nothing is measured
 * @param rounds how often each consumer is measured
 * @param legs what each round measures, of {@link #LEGS}
 * @param providers kinds of the sandbox that requests are spread over
 * @param slots submits under way at once, at each provider
 * @param partitions partitions of the requests topic
 * @param answerMillis after how long the sandbox answers
 * @param settings further settings under {@code tollgate.}
 * @param javaOptions options of every Java process under test
 */
public record BenchOptions(
    int operations,
    int warmUp,
    int rounds,
    List<String> legs,
    List<String> providers,
    int slots,
    int partitions,
    int answerMillis,
    Map<String, String> settings,
    List<String> javaOptions) {
  /**
   * A worker with descriptors, the same with a coded adapter, and two consumers that guard nothing.
   */
  public static final List<String> LEGS = List.of("send-only", "unguarded", "worker", "coded");

  public BenchOptions {
    legs = List.copyOf(legs);
    providers = List.copyOf(providers);
    settings = Map.copyOf(settings);
    javaOptions = List.copyOf(javaOptions);
  }

  /** What is published for each leg. */
  int published() {
    return warmUp + operations;
  }

  /** 200,000 operations, three rounds, one provider that keeps an idempotency promise. */
  public static BenchOptions usual() {
    return new BenchOptions(
        200_000,
        400_000,
        3,
        List.of("send-only", "unguarded", "worker"),
        List.of("keyed"),
        1536,
        4,
        5,
        Map.of(),
        List.of("-Xms512m", "-Xmx1g", "-XX:+UseParallelGC"));
  }
}
