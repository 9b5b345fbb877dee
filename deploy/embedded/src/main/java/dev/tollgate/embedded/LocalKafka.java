package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;

/** A Kafka broker as a Java process of its own. Thread-safe. */
final class LocalKafka implements KafkaBroker {
  /** A controlled shutdown of a small broker takes about a second. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

  private final ManagedServer server;
  private final boolean temporary;

  private LocalKafka(ManagedServer server, boolean temporary) {
    this.server = server;
    this.temporary = temporary;
  }

  static LocalKafka start(DataFolder folder, ServicesOptions options) {
    ManagedServer server =
        new ManagedServer(
            new Kind(folder, options),
            List.of(options.kafkaPort(), options.controllerPort()),
            options.startTimeout());
    return new LocalKafka(server.startFirst(), folder.temporary());
  }

  private record Kind(DataFolder folder, ServicesOptions options) implements ManagedServer.Kind {
    @Override
    public String name() {
      return "Kafka";
    }

    @Override
    public ServerProcess.Spec prepare(List<Integer> ports) {
      Path home = folder.of("kafka");
      Path settings = home.resolve("server.properties");
      Path logging = home.resolve("logback.xml");
      try {
        Files.createDirectories(home.resolve("data"));
        Files.write(settings, lines(settings(home.resolve("data"), ports)));
        Files.writeString(logging, KafkaSettings.LOGGING);
      } catch (IOException e) {
        throw new ServicesException(Reason.FILES, "cannot prepare Kafka's folder " + home, e);
      }
      if (!Files.exists(home.resolve("data").resolve("meta.properties"))) {
        format(settings, logging);
      }
      return new ServerProcess.Spec(
          name(),
          java(logging, "kafka.Kafka", List.of(settings.toString())),
          Map.of(),
          folder.log("kafka"),
          "KILL");
    }

    private Map<String, String> settings(Path data, List<Integer> ports) {
      Map<String, String> settings = new TreeMap<>(KafkaSettings.DEFAULTS);
      String broker = "PLAINTEXT://" + Ports.HOST + ":" + ports.getFirst();
      String controller = Ports.HOST + ":" + ports.get(1);
      settings.put("listeners", broker + ",CONTROLLER://" + controller);
      settings.put("advertised.listeners", broker);
      settings.put("controller.quorum.voters", "1@" + controller);
      settings.put("log.dirs", data.toString());
      settings.putAll(options.kafkaSettings());
      return settings;
    }

    private static List<String> lines(Map<String, String> settings) {
      return settings.entrySet().stream()
          .map(e -> e.getKey() + "=" + e.getValue().replace("\\", "\\\\"))
          .toList();
    }

    private void format(Path settings, Path logging) {
      List<String> arguments =
          List.of("format", "--ignore-formatted", "-t", Uuid.randomUuid().toString(), "-c");
      List<String> command = new ArrayList<>(java(logging, "kafka.tools.StorageTool", arguments));
      command.add(settings.toString());
      Programs.Result result = Programs.run(command, options.startTimeout());
      if (!result.succeeded()) {
        throw new ServicesException(
            Reason.START_FAILED,
            "Kafka's data folder could not be formatted (status %s): %s"
                .formatted(result.exit(), result.output()));
      }
    }

    private List<String> java(Path logging, String main, List<String> arguments) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-Xmx" + options.kafkaHeapMb() + "m");
      command.addAll(List.of("-XX:+UseSerialGC", "-Xshare:auto", "-XX:+ExitOnOutOfMemoryError"));
      if (options.quickStart()) {
        command.add("-XX:TieredStopAtLevel=1");
      }
      command.add("-Djava.awt.headless=true");
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("-Dlogback.configurationFile=" + logging);
      command.addAll(List.of("-cp", ClassPath.jars()));
      command.add(main);
      command.addAll(arguments);
      return command;
    }

    @Override
    public boolean answers(List<Integer> ports) {
      return Ports.accepts(ports.getFirst())
          && KafkaAdmin.answers(Ports.HOST + ":" + ports.getFirst());
    }
  }

  @Override
  public String bootstrapServers() {
    return Ports.HOST + ":" + server.port();
  }

  @Override
  public void createTopics(int partitions, Collection<String> names) {
    KafkaAdmin.createTopics(bootstrapServers(), partitions, names);
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public boolean isUp() {
    return server.isUp();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void pause() {
    server.freeze();
  }

  @Override
  public void resume() {
    server.thaw();
  }

  @Override
  public void close() {
    if (temporary) {
      server.close("KILL", STOP_PATIENCE); // nobody reads this data again
    } else {
      server.close("TERM", STOP_PATIENCE);
    }
  }

  OptionalLong pid() {
    return server.pid();
  }
}
