package dev.tollgate.cli;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.NextGeneration;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.OperationDetails;
import dev.tollgate.schema.store.OperationReader;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "regenerate",
    description = {
      "Asks for the next generation of an output that failed, or whose result is rejected: a new operation, paid for by"
          + " itself.",
      "Asking twice is asking once: its key follows from the earlier one's."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate operations regenerate ec79b5d6 --rejected --why \"blurred\" --dry-run"})
final class OperationsRegenerateCommand implements Callable<Integer> {
  /** What says of a finished operation that somebody should look before more is paid. */
  private static final Set<Code> DOUBTS =
      EnumSet.of(Code.SUSPECTED_DUPLICATE, Code.CONTRADICTED, Code.DUPLICATE_OUTPUT);

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Parameters(paramLabel = "KEY", description = MeantKey.DESCRIPTION)
  String key = "";

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "Why it is tried again; kept with the new operation.")
  String why = "";

  @Option(
      names = "--who",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "Who asks (default: ${DEFAULT-VALUE}).")
  String who = "";

  @Option(
      names = "--rejected",
      description = "Its result is not wanted: needed for an operation that is complete.")
  boolean rejected;

  @Option(names = "--json", description = "One JSON object.")
  boolean json;

  @Option(names = "--dry-run", description = "Say what would be asked for, and send nothing.")
  boolean dryRun;

  @Override
  public Integer call() {
    String wanted = MeantKey.checked(key);
    if (why.isBlank() || who.isBlank()) {
      throw Failure.usage("--why and --who take some text");
    }
    TollgateConfig config = configuration.required();
    return OperationsCommand.reading(configuration, reader -> regenerate(config, reader, wanted));
  }

  private int regenerate(TollgateConfig config, OperationReader reader, String wanted) {
    OperationKey meant = MeantKey.in(reader, wanted);
    OperationDetails earlier =
        reader.show(meant).orElseThrow(() -> MeantKey.unknown(meant.toString()));
    String objection = objection(earlier, config, InstantSource.system().instant());
    if (objection != null) {
      throw Failure.refused(objection);
    }
    RequestWriter.Ready next = request(earlier);
    doubts(earlier);
    String topic = new Topics(config.kafka().topicPrefix()).requests();
    if (!dryRun) {
      publish(config, topic, next);
    }
    print(config, topic, earlier, next);
    return 0;
  }

  /** Why nothing is asked for; null if nothing stands against it. */
  private @Nullable String objection(OperationDetails earlier, TollgateConfig config, Instant now) {
    OperationKey operation = earlier.summary().key();
    OperationState state = earlier.summary().state();
    OperationDetails.Generation newest =
        earlier.next() == null ? null : earlier.generations().getLast();
    if (newest != null) {
      return "%s has a later generation %d, %s, which is %s: if need be, that is to be tried again"
          .formatted(operation, newest.number(), newest.key(), newest.state().word());
    }
    if (!state.terminal()) {
      return "%s is %s: whether it gives an output is not known yet, and another one would be paid beside it"
          .formatted(operation, state.word());
    }
    if (state == OperationState.COMPLETE && !rejected) {
      return "%s is complete: if its output is not wanted, say so with --rejected"
          .formatted(operation);
    }
    int most = config.generations().max();
    if (earlier.intent().generation() >= most) {
      return "%s: %s is generation %d, and tollgate.generations.max is %d"
          .formatted(Code.GENERATION_LIMIT, operation, earlier.intent().generation(), most);
    }
    Instant deadline = earlier.intent().deadline();
    return deadline != null && !deadline.isAfter(now)
        ? "the deadline of %s passed at %s, and would be the next one's: publish a request with another"
            .formatted(operation, Shown.time(deadline))
        : null;
  }

  private RequestWriter.Ready request(OperationDetails earlier) {
    OperationDetails.Intent intent = earlier.intent();
    NextGeneration.Earlier stored =
        new NextGeneration.Earlier(
            earlier.summary().key(),
            intent.dimensions(),
            earlier.summary().provider(),
            intent.params(),
            intent.deadline(),
            intent.productionTask(),
            intent.producer());
    return switch (NextGeneration.of(stored, Shown.line(who), Shown.line(why))) {
      case RequestWriter.Ready ready -> ready;
      case Refused refused -> throw Failure.usage(refused.message());
    };
  }

  private void doubts(OperationDetails earlier) {
    Set<Code> doubts =
        earlier.evidence().stream()
            .map(OperationDetails.Seen::code)
            .filter(DOUBTS::contains)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Code.class)));
    if (!doubts.isEmpty()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "tollgate: its evidence holds %s: see `tollgate operations show %s`"
              .formatted(
                  doubts.stream().map(Code::name).collect(Collectors.joining(", ")),
                  earlier.summary().key()));
      err.flush();
    }
  }

  private static void publish(TollgateConfig config, String topic, RequestWriter.Ready next) {
    Reach.topics(config, List.of(topic));
    Clients clients = new Clients(config.kafka().bootstrapServers(), config.kafka().client());
    KafkaProducer<byte[], byte[]> producer =
        clients.producer(Map.copyOf(PublishCommand.settings()));
    try {
      producer.send(next.message().toRecord(topic)).get();
    } catch (ExecutionException e) {
      throw Failure.unreachable(
          "the broker did not acknowledge the request, which it may have or not; asking again is safe: "
              + Explanation.said(e.getCause() == null ? e : e.getCause()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.refused("interrupted: it may have been sent or not; asking again is safe", e);
    } finally {
      producer.close(Duration.ofSeconds(1));
    }
  }

  private void print(
      TollgateConfig config, String topic, OperationDetails earlier, RequestWriter.Ready next) {
    PrintWriter out = spec.commandLine().getOut();
    String name = earlier.summary().provider();
    ProviderConfig provider = config.providers().get(name);
    Money price = provider == null ? null : provider.price().orElse(null);
    if (json) {
      out.println(Shown.json(members(config, earlier, next, price)));
      out.flush();
      return;
    }
    out.println(
        "%s %s, generation %d of at most %d, after %s"
            .formatted(
                dryRun ? "would ask for" : "asked for",
                next.key(),
                earlier.intent().generation() + 1,
                config.generations().max(),
                earlier.summary().key()));
    out.println(
        price == null
            ? "its price is not known: tollgate.providers.%s.price is not set".formatted(name)
            : "it costs %s %s".formatted(price, config.currency()));
    out.println(
        dryRun
            ? "nothing was sent"
            : "%s has it; a worker takes it in, or says in the dead letters why not: `tollgate operations show %s`"
                .formatted(topic, next.key()));
    out.flush();
  }

  private Map<String, @Nullable Object> members(
      TollgateConfig config,
      OperationDetails earlier,
      RequestWriter.Ready next,
      @Nullable Money price) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("key", next.key().toString());
    json.put("retry_of", earlier.summary().key().toString());
    json.put("generation", earlier.intent().generation() + 1);
    json.put("generations_max", config.generations().max());
    json.put("provider", earlier.summary().provider());
    json.put("price", price == null ? null : price.toString());
    json.put("currency", config.currency());
    json.put("sent", !dryRun);
    return json;
  }
}
