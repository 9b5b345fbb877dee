package dev.tollgate.cli;

import dev.tollgate.loadtest.bench.Bench;
import dev.tollgate.loadtest.bench.BenchOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "bench",
    description = {
      "Measures operations per second and CPU by process, beside a consumer that guards nothing.",
      "Starts its own servers and a sandbox without faults; Linux only."
    },
    mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
  @Option(
      names = "--operations",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Operations of each half of a round (default: ${DEFAULT-VALUE}).")
  int operations;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "150000",
      description = "Operations before those, not measured (default: ${DEFAULT-VALUE}).")
  int warmUp;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds (default: ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--provider",
      paramLabel = "KIND",
      split = ",",
      defaultValue = "keyed",
      description = "Kinds that requests are spread over (default: ${DEFAULT-VALUE}).")
  List<String> providers = List.of();

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "2048",
      description = "Submits under way at each provider (default: ${DEFAULT-VALUE}).")
  int slots;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "A further setting, without \"tollgate.\", such as worker.linger=8ms.")
  Map<String, String> settings = Map.of();

  @Option(
      names = "--java-option",
      paramLabel = "OPTION",
      description = "A further option of every Java process under test.")
  List<String> javaOptions = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    BenchOptions usual = BenchOptions.usual();
    var options =
        new BenchOptions(
            operations,
            warmUp,
            rounds,
            providers,
            slots,
            usual.partitions(),
            usual.answerMillis(),
            settings,
            Stream.concat(usual.javaOptions().stream(), javaOptions.stream()).toList());
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (Bench bench = new Bench(options, out)) {
      bench.run();
    }
    return 0;
  }
}
