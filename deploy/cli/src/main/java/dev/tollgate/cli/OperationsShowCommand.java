package dev.tollgate.cli;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.OperationReader;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description = "Shows one operation: its state, its attempts, and everything observed about it.",
    mixinStandardHelpOptions = true)
final class OperationsShowCommand implements Callable<Integer> {
  private static final Pattern ABBREVIATED = Pattern.compile("([^:]*:)?([0-9a-f]{8,64})");
  private static final int CANDIDATES = 5;

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Parameters(
      paramLabel = "KEY",
      description = "Operation key, or the first 8 or more hexadecimal digits of one.")
  String key = "";

  @Option(names = "--json", description = "One JSON object.")
  boolean json;

  @Option(
      names = "--contents",
      description = "Also show parameters and bodies, which may hold prompts.")
  boolean contents;

  @Override
  public Integer call() {
    String wanted = key.strip().toLowerCase(Locale.ROOT);
    if (!ABBREVIATED.matcher(wanted).matches()) {
      throw Failure.usage(
          "%s is neither an operation key nor 8 or more hexadecimal digits of one"
              .formatted(Shown.line(key)));
    }
    return OperationsCommand.reading(
        configuration, (reader, streams) -> show(reader, streams, wanted));
  }

  private int show(
      OperationReader reader, OperationsCommand.StreamAddresses streams, String wanted) {
    OperationKey found = found(reader, wanted);
    PrintWriter out = spec.commandLine().getOut();
    reader
        .show(found)
        .ifPresentOrElse(
            details -> {
              String stream = streams.of(found).orElse(null);
              if (json) {
                Map<String, @Nullable Object> shown = OperationJson.details(details, contents);
                shown.put("stream", stream);
                out.println(Shown.json(shown));
              } else {
                new OperationPage(details, contents, stream).print(out);
              }
            },
            () -> {
              throw unknown(wanted);
            });
    out.flush();
    return 0;
  }

  private static OperationKey found(OperationReader reader, String wanted) {
    int colon = wanted.indexOf(':');
    String digits = wanted.substring(colon + 1);
    if (colon > 0 && digits.length() == 64) {
      try {
        return OperationKey.parse(wanted);
      } catch (RefusedException e) {
        throw Failure.usage(e.reason(), e);
      }
    }
    List<OperationKey> keys =
        reader.startingWith(digits, CANDIDATES).stream()
            .filter(candidate -> colon < 0 || candidate.toString().startsWith(wanted))
            .toList();
    return switch (keys.size()) {
      case 0 -> throw unknown(wanted);
      case 1 -> keys.getFirst();
      default ->
          throw Failure.refused(
              "%s begins more than one key: %s"
                  .formatted(
                      wanted,
                      keys.stream().map(OperationKey::toString).collect(Collectors.joining(", "))));
    };
  }

  private static Failure unknown(String wanted) {
    return Failure.refused("no operation has the key " + wanted);
  }
}
