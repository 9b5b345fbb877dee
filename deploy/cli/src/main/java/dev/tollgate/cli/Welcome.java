package dev.tollgate.cli;

import dev.tollgate.cli.local.LocalPorts;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;

/**
 * What {@code up} tells when everything runs: what is where, and what to type next.
 *
 * @param data folder of everything
 * @param psqlUrl what psql connects to
 * @param providers names of those that were added to the sandbox's
 */
record Welcome(Path data, LocalPorts ports, String psqlUrl, Set<String> providers) {
  void print(PrintWriter out) {
    String program = Project.typed(Project.root().resolve("deploy/tollgate"));
    if (!program.startsWith("/")) {
      program = program.contains("/") ? program : "./" + program;
    }
    String config =
        data.equals(Project.data()) ? "" : " --config " + Project.typed(Project.configIn(data));
    String example = Project.typed(Project.root().resolve("deploy/examples/requests.jsonl"));
    String text = Project.typed(Project.root().resolve("deploy/examples/text.jsonl"));
    out.println();
    out.println("Tollgate runs. In another terminal:");
    out.println();
    out.printf("  %s publish%s --wait %s%n", program, config, example);
    out.printf("  %s publish%s %s%n", program, config, text);
    out.printf("  %s operations list%s%n", program, config);
    out.printf("  %s operations show%s KEY%n", program, config);
    out.printf("  %s dlt list%s%n", program, config);
    out.printf("  psql %s -c 'SELECT * FROM operations'%n", psqlUrl);
    out.println();
    where(out, "Kafka", LocalPorts.HOST + ":" + ports.kafka());
    where(out, "PostgreSQL", LocalPorts.HOST + ":" + ports.postgres());
    where(out, "Redis", LocalPorts.HOST + ":" + ports.redis());
    where(out, "sandbox", http(ports.sandbox()) + "/{keyed,lookup,listed,blind,text}");
    if (!providers.isEmpty()) {
      where(out, "added", "providers " + String.join(", ", providers));
    }
    where(out, "webhooks", http(ports.webhooks()) + "/webhooks/{provider}, /callbacks/...");
    where(out, "streams", http(ports.streams()) + "/operations/{key}/stream/...");
    where(out, "to watch one", http(ports.streams()) + "/#ADDRESS, as `operations show` prints it");
    where(out, "worker", http(ports.workerMetrics()) + "/metrics, /health/ready");
    where(out, "reconciler", http(ports.reconcilerMetrics()) + "/metrics, /health/ready");
    where(out, "settings", Project.typed(Project.configIn(data)));
    where(out, "outputs", Project.typed(data.resolve("outputs")));
    where(out, "logs", Project.typed(data.resolve("logs")));
    out.println();
    out.println("Ctrl-C stops everything; the data stays.");
    out.flush();
  }

  private static String http(int port) {
    return "http://" + LocalPorts.HOST + ":" + port;
  }

  private static void where(PrintWriter out, String what, String address) {
    out.printf("  %-12s %s%n", what, address);
  }
}
