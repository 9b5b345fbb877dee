package dev.tollgate.cli;

import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.key.OperationKey;
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
    name = "why",
    description =
        "Says why an operation waits for a person, which rule of tollgate.unknowns speaks about it, and what can be decided.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  tollgate review why 3f9a61c2")
final class ReviewWhyCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Parameters(paramLabel = "KEY", description = MeantKey.DESCRIPTION)
  String key = "";

  @Option(names = "--json", description = "One JSON object.")
  boolean json;

  @Override
  public Integer call() {
    String wanted = MeantKey.checked(key);
    TollgateConfig config = configuration.required();
    return OperationsCommand.reading(configuration, reader -> why(config, reader, wanted));
  }

  private int why(TollgateConfig config, OperationReader reader, String wanted) {
    OperationKey meant = MeantKey.in(reader, wanted);
    ReviewPage page =
        new ReviewPage(
            config,
            reader.show(meant).orElseThrow(() -> MeantKey.unknown(wanted)),
            InstantSource.system().instant());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Shown.json(page.json()));
    } else {
      page.print(out);
    }
    out.flush();
    return 0;
  }
}
