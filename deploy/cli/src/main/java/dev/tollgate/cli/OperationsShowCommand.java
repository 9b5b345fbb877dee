package dev.tollgate.cli;

import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.OperationDetails;
import dev.tollgate.schema.store.OperationReader;
import dev.tollgate.schema.store.Tombstone;
import dev.tollgate.worker.reading.StreamAddresses;
import java.io.PrintWriter;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate operations show ec79b5d6"})
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
    Optional<OperationDetails> whole = reader.show(found);
    if (whole.isEmpty()) {
      tombstone(reader.tombstone(found).orElseThrow(() -> MeantKey.unknown(wanted)));
      return 0;
    }
    OperationDetails details = whole.get();
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

  /** All that is left of one that ended long ago. */
  private void tombstone(Tombstone tombstone) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("key", tombstone.key().toString());
    members.put("state", tombstone.state().word());
    members.put("reason", tombstone.reason() == null ? null : tombstone.reason().name());
    members.put("provider", tombstone.provider());
    members.put("remote_id", tombstone.remoteId());
    members.put("output_address", tombstone.output());
    members.put("production_task", tombstone.productionTask());
    Long price = tombstone.price();
    members.put("price", price == null ? null : new Money(price).toString());
    members.put("created_at", Shown.time(tombstone.createdAt()));
    members.put("ended_at", Shown.time(tombstone.endedAt()));
    members.put("forgotten", true);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Shown.json(members));
    } else {
      members.remove("forgotten");
      members.forEach(
          (name, value) ->
              out.printf(
                  Locale.ROOT,
                  "%-15s %s%n",
                  name.replace('_', ' '),
                  Shown.line(value == null ? null : value.toString())));
      out.println("all else of it is forgotten (tollgate.retention); its key answers for ever");
    }
    out.flush();
  }
}
