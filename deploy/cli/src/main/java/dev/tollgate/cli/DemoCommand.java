package dev.tollgate.cli;

import dev.tollgate.loadtest.demo.FaultLevel;
import dev.tollgate.loadtest.demo.Outcome;
import dev.tollgate.loadtest.demo.OutcomeText;
import dev.tollgate.loadtest.demo.Plan;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    description = {
      "Runs many operations against a provider that misbehaves, then compares its books with ours.",
      "Everything is private and temporary: servers on free ports, a sandbox provider, workers and a reconciler as processes.",
      "With --faults harsh, workers are killed and frozen meanwhile."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate demo --operations 400 --faults harsh --workers 3"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing was paid twice, nothing was lost, every rule held, all was over in time",
      "1:something was not so; the output says what",
      "2:the command is wrong",
      "3:a server cannot be reached"
    })
final class DemoCommand implements Callable<Integer> {
  private static final int WORKERS_MAX = 16;

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--operations",
      paramLabel = "N",
      defaultValue = "400",
      description = "Outputs to ask for, each about twice (default: ${DEFAULT-VALUE}).")
  int operations;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed of the requests, the faults and the strikes (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--workers",
      paramLabel = "W",
      defaultValue = "1",
      description = "Worker processes, 1 to " + WORKERS_MAX + " (default: ${DEFAULT-VALUE}).")
  int workers;

  @Option(
      names = "--faults",
      paramLabel = "HOW",
      defaultValue = "default",
      description = "none, default or harsh (default: ${DEFAULT-VALUE}).")
  FaultLevel faults = FaultLevel.DEFAULT;

  @Option(
      names = "--within",
      paramLabel = "SECONDS",
      description = "Longest time until all is over (default: 600, and more for many operations).")
  @Nullable Long withinSeconds;

  @Option(
      names = "--json",
      description = "Print one JSON object on standard output; progress goes to standard error.")
  boolean json;

  @Option(names = "--keep", description = "Keep logs, ledger and outputs, and say where they are.")
  boolean keep;

  @Override
  public Integer call() throws IOException {
    if (operations < 1 || workers < 1 || workers > WORKERS_MAX) {
      throw Failure.usage(
          "there must be at least 1 operation and 1 to %d workers".formatted(WORKERS_MAX));
    }
    Duration within =
        withinSeconds == null ? Plan.usualBound(operations) : Duration.ofSeconds(withinSeconds);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Plan plan = new Plan(operations, seed, faults, DemoFleet.LEASE, within);
    ProgressLine line = ProgressLine.on(json ? err : out, !json, System::nanoTime);
    DemoRun run = new DemoRun(plan, workers, keep, line, System::nanoTime);
    Thread main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> run.abort(main), "stop"));
    Outcome outcome;
    try {
      outcome = run.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.refused("the demo was interrupted", e);
    } finally {
      run.close();
    }
    if (json) {
      out.println(OutcomeText.json(outcome));
    } else {
      out.print(OutcomeText.summary(outcome));
    }
    out.flush();
    if (json && !outcome.good()) {
      outcome.problems().forEach(problem -> err.println("tollgate: " + problem));
      err.flush();
    }
    return outcome.good() ? 0 : Failure.REFUSED;
  }
}
