package dev.tollgate.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/** The program {@code tollgate}. */
public final class Main {
  /** Those that run for long: their log is on standard output, see {@link LogFormat}. */
  private static final List<String> SERVICES = List.of("worker", "reconciler");

  private Main() {}

  public static void main(String[] args) {
    if (!chooseLog(args)) {
      System.err.println(
          "tollgate: %s is %s: it must be text or json"
              .formatted(LogFormat.VARIABLE, Shown.line(System.getenv(LogFormat.VARIABLE))));
      System.exit(Failure.USAGE);
    }
    int code = commandLine().execute(args);
    System.out.flush();
    System.err.flush();
    System.exit(code);
  }

  /** The program, for {@link #main} and tests. */
  static CommandLine commandLine() {
    return new CommandLine(new TollgateCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler((e, line, _) -> Explanation.of(e).print(line))
        .setParameterExceptionHandler((e, _) -> wrongUsage(e));
  }

  /**
   * Before the first logger is made.
   *
   * @return false if what was asked for is no format
   */
  private static boolean chooseLog(String[] args) {
    Optional<String> command = Arrays.stream(args).filter(a -> !a.startsWith("-")).findFirst();
    String file = "logback-quiet.xml";
    if (command.filter(SERVICES::contains).isPresent()) {
      Optional<LogFormat> format =
          LogFormat.of(System.getenv(LogFormat.VARIABLE), System.console());
      if (format.isEmpty()) {
        return false;
      }
      file = format.get().file();
    }
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "dev/tollgate/cli/" + file);
    }
    return true;
  }

  /** The word that stands where a command is expected and is none. */
  private static Optional<String> unknownCommand(CommandLine.ParameterException e) {
    return e instanceof CommandLine.UnmatchedArgumentException unmatched
            && !e.getCommandLine().getSubcommands().isEmpty()
            && !unmatched.getUnmatched().getFirst().startsWith("-")
        ? Optional.of(unmatched.getUnmatched().getFirst())
        : Optional.empty();
  }

  private static int wrongUsage(CommandLine.ParameterException e) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    Optional<String> unknown = unknownCommand(e);
    err.println(
        "tollgate: " + unknown.map(name -> "no such command: " + name).orElse(e.getMessage()));
    if (unknown.isPresent() || !CommandLine.UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println("see: " + line.getCommandSpec().qualifiedName() + " --help");
    }
    return Failure.USAGE;
  }
}
