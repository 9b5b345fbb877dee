package dev.tollgate.cli;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.OperationDetails;
import dev.tollgate.schema.store.OperationReader;
import dev.tollgate.worker.reading.StreamAddresses;
import java.io.PrintWriter;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description =
        "Shows one operation: its state, its attempts and generations, and everything observed about it.",
    mixinStandardHelpOptions = true)
final class OperationsShowCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Parameters(paramLabel = "KEY", description = MeantKey.DESCRIPTION)
  String key = "";

  @Option(names = "--json", description = "One JSON object.")
  boolean json;

  @Option(
      names = "--contents",
      description = "Also show parameters and bodies, which may hold prompts.")
  boolean contents;

  @Override
  public Integer call() {
    String wanted = MeantKey.checked(key);
    return OperationsCommand.reading(
        configuration, (reader, streams) -> show(reader, streams, wanted));
  }

  private int show(OperationReader reader, StreamAddresses streams, String wanted) {
    OperationKey found = MeantKey.in(reader, wanted);
    OperationDetails details = reader.show(found).orElseThrow(() -> MeantKey.unknown(wanted));
    Limits limits = Limits.of(configuration.required(), details.summary().provider());
    String stream = streams.of(found).map(URI::toString).orElse(null);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Map<String, @Nullable Object> shown = OperationJson.details(details, limits, contents);
      shown.put("stream", stream);
      out.println(Shown.json(shown));
    } else {
      new OperationPage(details, limits, contents, stream).print(out);
    }
    out.flush();
    return 0;
  }
}
