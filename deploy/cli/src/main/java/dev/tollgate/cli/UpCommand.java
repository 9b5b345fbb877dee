package dev.tollgate.cli;

import dev.tollgate.cli.local.ChildFailed;
import dev.tollgate.cli.local.LocalPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "up",
    description = {
      "Runs everything on this machine: PostgreSQL, Redis, Kafka, a sandbox provider, one worker and one reconciler.",
      "Data stays in the data folder for the next time. Ctrl-C or SIGTERM stops everything in order."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nPorts on 127.0.0.1, from the port base on:%n",
    footer = {
      "  +0 Kafka, +1 its controller, +2 PostgreSQL, +3 Redis, +4 sandbox provider, +5 worker metrics, +6 reconciler metrics, +7 webhooks, +8 streams",
      "",
      "Example:",
      "  tollgate up"
    })
final class UpCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Folder for all data, logs and the configuration (default: .tollgate of the project).")
  @Nullable Path data;

  @Option(
      names = "--port-base",
      paramLabel = "N",
      defaultValue = "" + LocalPorts.DEFAULT_BASE,
      description = "The first of nine ports (default: ${DEFAULT-VALUE}).")
  int portBase;

  @Option(
      names = "--with",
      paramLabel = "FILE",
      description = {
        "Further settings for worker and reconciler, such as tollgate.providers.NAME.*, as a properties file.",
        "What `up` sets itself (the settings in its data folder) cannot be among them."
      })
  @Nullable Path with;

  @Override
  public Integer call() throws IOException {
    if (data != null
        && (data.toString().isBlank() || (Files.exists(data) && !Files.isDirectory(data)))) {
      throw new ParameterException(spec.commandLine(), "--data is not a folder: '" + data + "'");
    }
    Path folder = (data == null ? Project.data() : data).toAbsolutePath().normalize();
    LocalPorts ports = new LocalPorts(portBase);
    Further further = with == null ? Further.none() : Further.read(with);
    Up up = new Up(folder, ports, further, spec.commandLine().getOut(), System::nanoTime);
    Thread hook = new Thread(up::stopAndWait, "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      up.run();
      return 0;
    } catch (ChildFailed e) {
      throw Failure.refused("stopped, since " + e.getMessage(), e);
    } finally {
      up.close();
    }
  }
}
