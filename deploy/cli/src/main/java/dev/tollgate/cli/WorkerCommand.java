package dev.tollgate.cli;

import dev.tollgate.cli.serve.RedactedSettings;
import dev.tollgate.cli.serve.Service;
import dev.tollgate.cli.serve.ServiceProcess;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.worker.Providers;
import dev.tollgate.worker.Worker;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "worker",
    description = {
      "Takes requests in, sends them to their providers, follows tasks to their outputs.",
      "Its log is on standard output: text on a terminal, else JSON lines; TOLLGATE_LOG_FORMAT=text"
          + " or json says otherwise. SIGTERM drains it, and it ends with status 0."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate worker --config tollgate.properties --webhooks 8088"})
final class WorkerCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Option(
      names = "--webhooks",
      paramLabel = "PORT",
      description = "Receives webhooks and callbacks at this port, as tollgate.webhooks.port does.")
  @Nullable Integer webhooks;

  @Option(
      names = "--streams",
      paramLabel = "PORT",
      description = "Serves streamed text to readers at this port, as tollgate.streams.port does.")
  @Nullable Integer streams;

  @Override
  public Integer call() throws IOException {
    Map<String, String> given = new HashMap<>();
    if (webhooks != null) {
      given.put("tollgate.webhooks.port", webhooks.toString());
    }
    if (streams != null) {
      given.put("tollgate.streams.port", streams.toString());
    }
    TollgateConfig config = configuration.ofService(given);
    spec.commandLine().getErr().println("tollgate worker: " + RedactedSettings.of(config));
    spec.commandLine().getErr().flush();
    Topics topics = new Topics(config.kafka().topicPrefix());
    Providers.check(config, InstantSource.system(), System::nanoTime);
    Reach.schema(config);
    Reach.topics(config, topics.all());
    return ServiceProcess.run(config, "worker", registry -> service(config, registry));
  }

  private static Service service(TollgateConfig config, MeterRegistry registry) {
    Worker worker =
        new Worker(
            config,
            UUID.randomUUID().toString(),
            registry,
            InstantSource.system(),
            System::nanoTime);
    return Service.of(worker::start, worker.vitals(), worker::broken, worker::close);
  }
}
