package dev.tollgate.cli;

import dev.tollgate.cli.dlt.Place;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "dlt",
    description = {
      "Shows dead letters, sends them back to their topic, or marks them as not wanted.",
      "A letter stays where it is; what was decided about it is kept in the database."
    },
    subcommands = {
      DltListCommand.class,
      DltShowCommand.class,
      DltReplayCommand.class,
      DltDiscardCommand.class,
      DltRunsCommand.class
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExample:%n",
    footer = {
      "  tollgate dlt list",
      "  tollgate dlt replay --code UNKNOWN_PROVIDER --why \"configured it\" --dry-run"
    })
final class DltCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "list, show, replay, discard or runs?");
  }

  /** Whose dead letters. */
  enum Source {
    REQUESTS,
    RECONCILE
  }

  /** Which topic. */
  static final class TopicOption {
    @Option(
        names = "--topic",
        paramLabel = "TOPIC",
        defaultValue = "requests",
        description = "requests or reconcile (default: ${DEFAULT-VALUE}).")
    Source source = Source.REQUESTS;
  }

  /** Reads {@code PARTITION@OFFSET}. */
  static final class PlaceConverter implements ITypeConverter<Place> {
    @Override
    public Place convert(String text) {
      try {
        return Place.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
