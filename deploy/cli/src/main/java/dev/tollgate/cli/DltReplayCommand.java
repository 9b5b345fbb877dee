package dev.tollgate.cli;

import dev.tollgate.schema.config.Rate;
import dev.tollgate.schema.store.DeadLetterRun;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "replay",
    description = {
      "Sends dead letters back to the topic they came from, as their producer sent them.",
      "It cannot cause a second send to a provider: the operation key decides. What is on record already is not sent, but"
          + " answered from there; what would be refused again is left."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  tollgate dlt replay --code UNKNOWN_PROVIDER --why \"configured it\" --dry-run",
      "  tollgate dlt replay --code UNKNOWN_PROVIDER --why \"configured it\" --rate 5/s",
      "  tollgate dlt replay --resume 7"
    })
final class DltReplayCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin DltRun run = new DltRun();

  @Option(
      names = "--rate",
      paramLabel = "N/s",
      defaultValue = "20/s",
      converter = RateConverter.class,
      description = "Most letters that are sent, as 5/s or 30/min (default: ${DEFAULT-VALUE}).")
  Rate rate = Rate.of("20/s");

  @Option(
      names = "--max-replays",
      paramLabel = "N",
      defaultValue = "5",
      description = "How often one message may be replayed (default: ${DEFAULT-VALUE}).")
  int maxReplays;

  @Option(names = "--force", description = "Also send what would be refused again.")
  boolean force;

  @Option(names = "--discarded", description = "Also replay what was discarded.")
  boolean discarded;

  @Override
  public Integer call() {
    if (maxReplays < 1) {
      throw Failure.usage("--max-replays must be 1 or more");
    }
    return run.call(
        spec,
        new DltRun.Asked(
            DeadLetterRun.Kind.REPLAY, force, discarded, maxReplays, Optional.of(rate)));
  }

  /** Reads {@code 20/s}; a number alone is of a second. */
  static final class RateConverter implements ITypeConverter<Rate> {
    @Override
    public Rate convert(String text) {
      try {
        return Rate.of(text.indexOf('/') < 0 ? text + "/s" : text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
