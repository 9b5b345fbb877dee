package dev.tollgate.cli;

import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.OperationDetails;
import dev.tollgate.schema.store.OperationReader;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description =
        "Shows what can be decided about an operation, then everything that is known of it.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  tollgate review show 3f9a61c2")
final class ReviewShowCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Parameters(paramLabel = "KEY", description = MeantKey.DESCRIPTION)
  String key = "";

  @Option(
      names = "--contents",
      description = "Also show parameters and bodies, which may hold prompts.")
  boolean contents;

  @Override
  public Integer call() {
    String wanted = MeantKey.checked(key);
    TollgateConfig config = configuration.required();
    return OperationsCommand.reading(configuration, reader -> show(config, reader, wanted));
  }

  private int show(TollgateConfig config, OperationReader reader, String wanted) {
    OperationKey meant = MeantKey.in(reader, wanted);
    OperationDetails details = reader.show(meant).orElseThrow(() -> MeantKey.unknown(wanted));
    PrintWriter out = spec.commandLine().getOut();
    new ReviewPage(config, details, InstantSource.system().instant()).print(out);
    out.println();
    new OperationPage(details, Limits.of(config, details.summary().provider()), contents, null)
        .print(out);
    out.flush();
    return 0;
  }
}
