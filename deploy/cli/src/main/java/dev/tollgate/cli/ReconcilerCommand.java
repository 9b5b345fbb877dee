package dev.tollgate.cli;

import dev.tollgate.cli.serve.RedactedSettings;
import dev.tollgate.cli.serve.Service;
import dev.tollgate.cli.serve.ServiceProcess;
import dev.tollgate.reconciler.Reconciler;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.worker.Providers;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "reconciler",
    description = {
      "Finds out what became of unknown sends, sweeps lost leases, publishes result events.",
      "Its log is on standard output: text on a terminal, else JSON lines; TOLLGATE_LOG_FORMAT=text"
          + " or json says otherwise. SIGTERM drains it, and it ends with status 0."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate reconciler --config tollgate.properties"})
final class ReconcilerCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Override
  public Integer call() throws IOException {
    TollgateConfig config = configuration.ofService();
    spec.commandLine().getErr().println("tollgate reconciler: " + RedactedSettings.of(config));
    spec.commandLine().getErr().flush();
    Topics topics = new Topics(config.kafka().topicPrefix());
    Providers.check(config, InstantSource.system(), System::nanoTime);
    Reach.schema(config);
    Reach.topics(config, topics.all());
    return ServiceProcess.run(config, "reconciler", registry -> service(config, registry));
  }

  private static Service service(TollgateConfig config, MeterRegistry registry) {
    Reconciler reconciler =
        new Reconciler(
            config,
            UUID.randomUUID().toString(),
            registry,
            InstantSource.system(),
            System::nanoTime);
    return Service.of(reconciler::start, reconciler.vitals(), Optional::empty, reconciler::close);
  }
}
