package dev.tollgate.cli;

import dev.tollgate.schema.client.ClientException;
import dev.tollgate.schema.client.ClientOptions;
import dev.tollgate.schema.client.Submission;
import dev.tollgate.schema.client.TollgateClient;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "publish",
    description = {
      "Checks requests and sends them to the requests topic; publishing one twice is harmless.",
      "Succeeds only if every line was acknowledged by the broker; with --wait, only if each is complete."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate publish --wait deploy/examples/requests.jsonl"})
final class PublishCommand implements Callable<Integer> {
  /** Some tens of megabytes: what other producers' requests came to since counts as well. */
  private static final int RESULTS_KEPT = 50_000;

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Parameters(paramLabel = "FILE", description = "Requests as JSON lines; - is standard input.")
  String file = "-";

  @Option(
      names = {"-v", "--verbose"},
      description = "Print the operation key of each acknowledged request.")
  boolean verbose;

  @Option(
      names = {"-w", "--wait"},
      description = "Print what becomes of each request as it is heard, until all is told.")
  boolean waits;

  @Option(
      names = "--within",
      paramLabel = "SECONDS",
      description = {
        "With --wait: how long to wait after the last acknowledgement.",
        "What is not told by then goes on; publish it again to hear of it."
      })
  @Nullable Integer withinSeconds;

  @Option(
      names = "--since",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description =
          "With --wait: how long ago a request may have ended that was published before (default: ${DEFAULT-VALUE}).")
  int sinceSeconds;

  @Override
  public Integer call() throws IOException {
    if (sinceSeconds < 0 || (withinSeconds != null && (withinSeconds < 1 || !waits))) {
      throw Failure.usage("--within is 1 or more and goes with --wait; --since is 0 or more");
    }
    TollgateConfig config = configuration.required();
    return waits ? publishAndWait(config) : publish(config);
  }

  private int publish(TollgateConfig config) throws IOException {
    String topic = new Topics(config.kafka().topicPrefix()).requests();
    try (Lines lines = Lines.open(file)) {
      Reach.topics(config, List.of(topic));
      Clients clients = new Clients(config.kafka().bootstrapServers(), config.kafka().client());
      KafkaProducer<byte[], byte[]> producer = clients.producer(settings());
      Acknowledgements acknowledgements =
          new Acknowledgements(spec.commandLine().getOut(), spec.commandLine().getErr(), verbose);
      try {
        send(lines, acknowledgements, ready -> producer.send(ready.message().toRecord(topic)));
        acknowledgements.awaitAll();
      } finally {
        producer.close(Duration.ofSeconds(1));
        acknowledgements.summary(topic);
      }
      return acknowledgements.exitCode();
    }
  }

  private int publishAndWait(TollgateConfig config) throws IOException {
    Topics topics = new Topics(config.kafka().topicPrefix());
    Acknowledgements acknowledgements =
        new Acknowledgements(spec.commandLine().getOut(), spec.commandLine().getErr(), verbose);
    Results results = new Results(spec.commandLine().getOut());
    try (Lines lines = Lines.open(file)) {
      Reach.topics(config, List.of(topics.requests(), topics.events(), topics.requestsDlt()));
      try (TollgateClient client = open(config)) {
        try {
          send(
              lines,
              acknowledgements,
              ready -> {
                Submission submission = client.submit(ready);
                results.expect(submission);
                return submission.published();
              });
          acknowledgements.awaitAll();
        } finally {
          acknowledgements.summary(topics.requests());
        }
        boolean _ = results.await(withinSeconds == null ? null : Duration.ofSeconds(withinSeconds));
      }
    }
    results.summary(); // when the client is closed: what is open then was not told
    return Math.max(acknowledgements.exitCode(), results.exitCode());
  }

  private TollgateClient open(TollgateConfig config) {
    Map<String, String> client = new HashMap<>(config.kafka().client());
    settings().forEach((name, value) -> client.putIfAbsent(name, String.valueOf(value)));
    try {
      return TollgateClient.open(
          ClientOptions.of(config.kafka().bootstrapServers())
              .withTopicPrefix(config.kafka().topicPrefix())
              .withSettings(client)
              .withFrom(InstantSource.system().instant().minusSeconds(sinceSeconds), RESULTS_KEPT));
    } catch (ClientException.Unreachable e) {
      throw Reach.unreachable(
          config.kafka().bootstrapServers(), e.getCause() == null ? e : e.getCause());
    }
  }

  private static void send(
      Lines lines,
      Acknowledgements acknowledgements,
      Function<RequestWriter.Ready, Future<?>> sender)
      throws IOException {
    for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
      switch (KeyCommand.read(line)) {
        case Refused refused -> acknowledgements.refused(line, refused);
        case RequestWriter.Ready ready ->
            acknowledgements.sent(line, ready.key().toString(), sender.apply(ready));
      }
    }
  }

  /** A person waits: what is not acknowledged within half a minute is said not to be. */
  static Map<String, Object> settings() {
    return Map.of(
        ProducerConfig.LINGER_MS_CONFIG, 5,
        ProducerConfig.MAX_BLOCK_MS_CONFIG, 15_000,
        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000,
        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000);
  }
}
