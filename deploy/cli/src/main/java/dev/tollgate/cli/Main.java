package dev.tollgate.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/** The program {@code tollgate}. */
public final class Main {
  /** Those that run for long and are read by machines: their log is JSON on standard output. */
  private static final List<String> SERVICES = List.of("worker", "reconciler");

  private Main() {}

  public static void main(String[] args) {
    chooseLog(args);
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

  /** Before the first logger is made. */
  private static void chooseLog(String[] args) {
    Optional<String> command = Arrays.stream(args).filter(a -> !a.startsWith("-")).findFirst();
    String file =
        command.filter(SERVICES::contains).isPresent()
            ? "logback-service.xml"
            : "logback-quiet.xml";
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "dev/tollgate/cli/" + file);
    }
  }

  private static int wrongUsage(CommandLine.ParameterException e) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    err.println("tollgate: " + e.getMessage());
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println("see: " + line.getCommandSpec().qualifiedName() + " --help");
    }
    return Failure.USAGE;
  }
}
