package dev.tollgate.cli;

import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
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
      "Succeeds only if every line was acknowledged by the broker."
    },
    mixinStandardHelpOptions = true)
final class PublishCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Parameters(paramLabel = "FILE", description = "Requests as JSON lines; - is standard input.")
  String file = "-";

  @Option(
      names = {"-v", "--verbose"},
      description = "Print the operation key of each acknowledged request.")
  boolean verbose;

  @Override
  public Integer call() throws IOException {
    TollgateConfig config = configuration.required();
    String topic = new Topics(config.kafka().topicPrefix()).requests();
    try (Lines lines = Lines.open(file)) {
      Reach.topics(config, List.of(topic));
      Clients clients = new Clients(config.kafka().bootstrapServers(), config.kafka().client());
      KafkaProducer<byte[], byte[]> producer = clients.producer(settings());
      Acknowledgements acknowledgements =
          new Acknowledgements(spec.commandLine().getOut(), spec.commandLine().getErr(), verbose);
      try {
        send(lines, topic, producer, acknowledgements);
        acknowledgements.awaitAll();
      } finally {
        producer.close(Duration.ofSeconds(1));
        acknowledgements.summary(topic);
      }
      return acknowledgements.exitCode();
    }
  }

  private void send(
      Lines lines,
      String topic,
      KafkaProducer<byte[], byte[]> producer,
      Acknowledgements acknowledgements)
      throws IOException {
    for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
      switch (KeyCommand.read(line)) {
        case Refused refused -> acknowledgements.refused(line, refused);
        case RequestWriter.Ready ready ->
            acknowledgements.sent(
                line, ready.key().toString(), producer.send(ready.message().toRecord(topic)));
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
