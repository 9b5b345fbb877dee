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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "bench",
    description = {
      "Measures operations per second and CPU by process, beside a consumer that guards nothing.",
      "Starts its own servers and a sandbox without faults, each leg of a round on a database of its own; Linux only.",
      "A round has legs: send-only (keeps the answers to itself), unguarded (publishes them), worker (Tollgate),",
      "coded (Tollgate with a hand-written adapter in place of the descriptor; not by default).",
      "\"warming\" and \"tenths\" are operations per second of each fifth of the warm-up and each tenth after it."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate bench"})
final class BenchCommand implements Callable<Integer> {
  private static final BenchOptions USUAL = BenchOptions.usual();

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--operations",
      paramLabel = "N",
      description = "Operations of each leg of a round (default: ${DEFAULT-VALUE}).")
  int operations = USUAL.operations();

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Operations before those, not measured (default: ${DEFAULT-VALUE}).")
  int warmUp = USUAL.warmUp();

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  int rounds = USUAL.rounds();

  @Option(
      names = "--legs",
      paramLabel = "LEG",
      split = ",",
      description = "What each round measures (default: ${DEFAULT-VALUE}).")
  List<String> legs = USUAL.legs();

  @Option(
      names = "--provider",
      paramLabel = "KIND",
      split = ",",
      description = "Kinds that requests are spread over (default: ${DEFAULT-VALUE}).")
  List<String> providers = USUAL.providers();

  @Option(
      names = "--slots",
      paramLabel = "N",
      description = "Submits under way at each provider (default: ${DEFAULT-VALUE}).")
  int slots = USUAL.slots();

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
    if (operations < 1 || warmUp < 1 || rounds < 1 || slots < 1) {
      throw new ParameterException(
          spec.commandLine(), "--operations, --warm-up, --rounds and --slots must be positive");
    }
    if (legs.isEmpty() || !BenchOptions.LEGS.containsAll(legs)) {
      throw new ParameterException(spec.commandLine(), "legs are " + BenchOptions.LEGS);
    }
    var options =
        new BenchOptions(
            operations,
            warmUp,
            rounds,
            legs,
            providers,
            slots,
            USUAL.partitions(),
            USUAL.answerMillis(),
            settings,
            Stream.concat(USUAL.javaOptions().stream(), javaOptions.stream()).toList());
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (Bench bench = new Bench(options, out)) {
      // told to stop in the middle, it leaves neither processes nor gigabytes behind
      Runtime.getRuntime().addShutdownHook(new Thread(bench::close, "stop"));
      bench.run();
    }
    return 0;
  }
}
