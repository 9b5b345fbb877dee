package dev.tollgate.cli;

import dev.tollgate.cli.dlt.DeadLetter;
import dev.tollgate.cli.dlt.DeadLetterTopic;
import dev.tollgate.cli.dlt.Place;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Nearest;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "dlt",
    description = "Shows dead letters and sends them back to their topic.",
    subcommands = {DltListCommand.class, DltShowCommand.class, DltReplayCommand.class},
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class DltCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "list, show or replay?");
  }

  /** Whose dead letters. */
  enum Source {
    REQUESTS,
    RECONCILE
  }

  /** Which topic, on which Kafka. */
  static final class TopicOption {
    @Mixin ConfigOption configuration = new ConfigOption();

    @Option(
        names = "--topic",
        paramLabel = "TOPIC",
        defaultValue = "requests",
        description = "requests or reconcile (default: ${DEFAULT-VALUE}).")
    Source source = Source.REQUESTS;

    /** The configured topics, after a look that they are there. */
    Opened open() {
      TollgateConfig config = configuration.required();
      Topics topics = new Topics(config.kafka().topicPrefix());
      String target =
          switch (source) {
            case REQUESTS -> topics.requests();
            case RECONCILE -> topics.reconcile();
          };
      String letters =
          switch (source) {
            case REQUESTS -> topics.requestsDlt();
            case RECONCILE -> topics.reconcileDlt();
          };
      Reach.topics(config, List.of(target, letters));
      Clients clients = new Clients(config.kafka().bootstrapServers(), config.kafka().client());
      return new Opened(clients, new DeadLetterTopic(clients, letters, System::nanoTime), target);
    }
  }

  /**
   * @param target where the letters came from and a replay goes
   */
  record Opened(Clients clients, DeadLetterTopic letters, String target) implements AutoCloseable {
    @Override
    public void close() {
      letters.close();
    }
  }

  /** Codes that letters are given today; others may lie there from another build. */
  private static final List<Code> USUAL =
      List.of(
          Code.INVALID_EVENT,
          Code.KEY_PARAMETERS_MISMATCH,
          Code.UNKNOWN_PROVIDER,
          Code.UNSUPPORTED_VERSION);

  /**
   * Codes as they were typed.
   *
   * @throws Failure if one of them is none: it would select nothing, and look as if there were
   *     nothing
   */
  static Set<String> codes(Collection<String> typed) {
    Set<String> known = new TreeSet<>(Set.of(DeadLetter.NO_CODE));
    Arrays.stream(Code.values()).map(Code::name).forEach(known::add);
    Set<String> codes = new TreeSet<>();
    for (String text : typed) {
      String code = text.strip().toUpperCase(Locale.ROOT);
      if (!known.contains(code)) {
        List<String> near = Nearest.of(code, known);
        throw Failure.usage(
            "there is no code %s; %s"
                .formatted(
                    Shown.line(code),
                    near.isEmpty()
                        ? "dead letters usually have one of "
                            + String.join(", ", USUAL.stream().map(Code::name).toList())
                        : "did you mean " + String.join(" or ", near) + "?"));
      }
      codes.add(code);
    }
    return codes;
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
