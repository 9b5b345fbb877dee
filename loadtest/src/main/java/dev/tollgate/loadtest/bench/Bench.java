package dev.tollgate.loadtest.bench;

import dev.tollgate.embedded.Folders;
import dev.tollgate.embedded.Services;
import dev.tollgate.embedded.ServicesOptions;
import dev.tollgate.loadtest.bench.CpuMeter.Part;
import dev.tollgate.loadtest.sandbox.Kind;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import tools.jackson.databind.json.JsonMapper;

/** Runs the benchmark, see the package. Confined to one thread, but for {@link #close()}. */
public final class Bench implements AutoCloseable {
  private static final Duration STALL = Duration.ofSeconds(30);

  private final BenchOptions options;
  private final PrintStream out;
  private final Path folder;
  private final Path key;
  private final Services services;
  private final HttpClient http = HttpClient.newHttpClient();

  /** Of the leg under way, in the order of their starts. */
  private final List<Process> running = new CopyOnWriteArrayList<>();

  private volatile boolean logsNamed;
  private int runs;

  public Bench(BenchOptions options, PrintStream out) throws IOException {
    this.options = options;
    this.out = out;
    this.folder = Files.createTempDirectory("tollgate-bench");
    this.key = Files.writeString(folder.resolve("sandbox-key"), Kind.SANDBOX_KEY);
    this.services =
        Services.embedded(
            new ServicesOptions(
                Optional.empty(),
                OptionalInt.empty(),
                UsedServer.SETTINGS,
                Map.of(),
                Map.of(),
                768,
                false,
                Duration.ofSeconds(90)));
  }

  /** Measures and prints; returns the median ratio of guarded to unguarded rate. */
  public double run() throws IOException, InterruptedException, TimeoutException {
    out.printf(
        Locale.ROOT,
        "%,d operations a leg after %,d to warm up, %d rounds, providers %s, %d slots each,"
            + " sandbox answers after %d ms%n",
        options.operations(),
        options.warmUp(),
        options.rounds(),
        options.providers(),
        options.slots(),
        options.answerMillis());
    UsedServer.use(services.postgres());
    List<Double> ratios = new ArrayList<>();
    for (int round = 1; round <= options.rounds(); round++) {
      out.println("round " + round);
      Map<String, Round> legs = new LinkedHashMap<>();
      for (String leg : options.legs()) {
        Round measured = leg(leg);
        legs.put(leg, measured);
        out.println("  " + measured.line());
      }
      compare(legs, "worker", "send-only");
      compare(legs, "worker", "coded");
      compare(legs, "worker", "unguarded").ifPresent(ratios::add);
    }
    if (ratios.isEmpty()) {
      return Double.NaN;
    }
    ratios.sort(null);
    double median = ratios.get(ratios.size() / 2);
    out.printf(Locale.ROOT, "median ratio %.2f%n", median);
    return median;
  }

  private Optional<Double> compare(Map<String, Round> legs, String of, String to) {
    Round one = legs.get(of);
    Round other = legs.get(to);
    if (one == null || other == null) {
      return Optional.empty();
    }
    double ratio = one.perSecond() / other.perSecond();
    out.printf(Locale.ROOT, "  %s to %s: %.2f%n", of, to, ratio);
    return Optional.of(ratio);
  }

  private Round leg(String role) throws IOException, InterruptedException, TimeoutException {
    String name = role.replace("-", "_") + ++runs;
    Topics topics = new Topics("bench-" + name);
    services.kafka().createTopics(options.partitions(), topics.all().toArray(String[]::new));
    String url = services.postgres().createDatabase("bench_" + name);
    var settings =
        new DatabaseSettings(url, services.postgres().user(), services.postgres().password());
    Database.migrate(settings);
    publish(topics);
    try {
      int port = sandbox(name);
      Path config = config(name, topics, settings, port, role.equals("coded"));
      boolean guarded = role.equals("worker") || role.equals("coded");
      if (guarded) {
        start(name + "-reconciler", BenchRole.class, "reconciler", config.toString());
      }
      start(name, BenchRole.class, guarded ? "worker" : role, config.toString());
      Round round = measure(role, port);
      if (guarded) {
        requireStored(settings);
      }
      return round;
    } finally {
      for (Process process : running.reversed()) {
        end(process);
      }
      UsedServer.drop(services.postgres(), "bench_" + name);
    }
  }

  private void publish(Topics topics) throws IOException, InterruptedException {
    List<Future<?>> sent = new ArrayList<>(options.published());
    try (KafkaProducer<byte[], byte[]> producer =
        new Clients(services.kafka().bootstrapServers(), Map.of())
            .producer(Map.of("linger.ms", 20, "batch.size", 128 * 1024))) {
      for (int i = 0; i < options.published(); i++) {
        String provider = options.providers().get(i % options.providers().size());
        String json =
            """
            {"kind":"video","product":"p-%d","template_version":"3","locale":"en-US","aspect_ratio":"16:9",\
            "provider":"%s","params":{"prompt":"a red kite, take %d","seed":%d,"duration_s":5}}"""
                .formatted(i, provider, i, i);
        if (RequestWriter.fromJsonLine(json) instanceof RequestWriter.Ready ready) {
          sent.add(producer.send(ready.message().toRecord(topics.requests())));
        }
      }
      producer.flush();
      for (Future<?> record : sent) {
        record.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("requests were not published", e);
    }
  }

  private int sandbox(String name) throws IOException {
    Process process =
        start(
            name + "-sandbox",
            dev.tollgate.loadtest.sandbox.SandboxMain.class,
            "--ledger=" + folder.resolve(name + ".ledger"),
            "--answer-delay-ms=" + options.answerMillis(),
            "--idle-timeout-ms=30000");
    var reader = process.inputReader(StandardCharsets.UTF_8);
    String line = reader.readLine();
    var port = java.util.regex.Pattern.compile("port=(\\d+)").matcher(String.valueOf(line));
    if (!port.find()) {
      throw new IOException("the sandbox did not start: " + line);
    }
    return Integer.parseInt(port.group(1));
  }

  private Path config(
      String name, Topics topics, DatabaseSettings database, int port, boolean coded)
      throws IOException {
    Properties config = new Properties();
    String prefix = "tollgate.";
    config.setProperty(prefix + "kafka.bootstrap-servers", services.kafka().bootstrapServers());
    config.setProperty(prefix + "kafka.topic-prefix", topics.prefix());
    config.setProperty(prefix + "kafka.worker-group", name);
    config.setProperty(prefix + "kafka.reconciler-group", name + "-reconciler");
    config.setProperty(prefix + "database.url", database.url());
    config.setProperty(prefix + "database.user", database.user());
    config.setProperty(prefix + "database.password", database.password());
    config.setProperty(
        prefix + "redis.url", "redis://" + services.redis().host() + ":" + services.redis().port());
    config.setProperty(prefix + "outputs.folder", folder.resolve("outputs").toString());
    config.setProperty(prefix + "worker.follow-after", "1h");
    options.settings().forEach((key, value) -> config.setProperty(prefix + key, value));
    for (String kind : options.providers()) {
      String provider = prefix + "providers." + kind + ".";
      config.setProperty(provider + "endpoint", "http://127.0.0.1:" + port + "/" + kind);
      config.setProperty(
          provider + (coded ? "adapter" : "descriptor"), coded ? "task-api" : "http-json");
      config.setProperty(provider + "api-key", "file:" + key);
      config.setProperty(provider + "concurrency", String.valueOf(options.slots()));
      config.setProperty(provider + "promise-retention", "24h");
      config.setProperty(provider + "offers", Kind.valueOf(kind.toUpperCase(Locale.ROOT)).offers());
    }
    Path file = folder.resolve(name + ".properties");
    try (var writer = Files.newBufferedWriter(file)) {
      config.store(writer, "benchmark");
    }
    return file;
  }

  private Process start(String name, Class<?> main, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // without it the client library formats a line for every call
    command.add("-Dlogback.configurationFile=dev/tollgate/loadtest/bench/logback.xml");
    command.addAll(options.javaOptions());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(folder.resolve(name + ".log").toFile());
    if (!main.getSimpleName().startsWith("Sandbox")) {
      builder.redirectOutput(folder.resolve(name + ".out").toFile());
    }
    Process process = builder.start();
    running.add(process);
    return process;
  }

  /** From a warm start on: compiling takes 10 to 20 s of CPU, more than the first operations do. */
  private Round measure(String role, int port)
      throws IOException, InterruptedException, TimeoutException {
    List<Round.Sample> warming = new ArrayList<>();
    awaitTasks(port, options.warmUp(), warming);
    Map<Part, Long> before = CpuMeter.read();
    List<Round.Sample> samples = new ArrayList<>();
    awaitTasks(port, options.published(), samples);
    return Round.of(role, warming, samples, before, CpuMeter.read());
  }

  private void awaitTasks(int port, long count, List<Round.Sample> samples)
      throws IOException, InterruptedException, TimeoutException {
    long lastChange = System.nanoTime();
    long last = -1;
    while (last < count) {
      long tasks = tasks(port);
      long now = System.nanoTime();
      samples.add(new Round.Sample(now, tasks));
      if (tasks != last) {
        last = tasks;
        lastChange = now;
      } else if (now - lastChange > STALL.toNanos()) {
        throw failed("stuck at " + tasks + " of " + count);
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private long tasks(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/admin/stats")).build();
    String body = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    return JsonMapper.shared().readTree(body).get("tasks").asLong();
  }

  /** What was sent must be stored as accepted, or the rate means nothing. */
  private void requireStored(DatabaseSettings settings)
      throws InterruptedException, TimeoutException {
    try (Database database = new Database(settings, "bench", 1, null)) {
      for (int i = 0; i < 100; i++) {
        long accepted =
            database
                .dsl()
                .fetchSingle("SELECT count(*) FROM operation WHERE state = 'accepted'")
                .get(0, Long.class);
        if (accepted == options.published()) {
          return;
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
    throw failed("not all operations were stored as accepted");
  }

  private void end(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (process.info().commandLine().orElse("").contains("Sandbox")) {
      process.destroy();
    }
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    running.remove(process);
  }

  /**
   * Ends what runs and deletes what it wrote, but for logs that a failure names. From any thread;
   * again: nothing.
   */
  @Override
  public synchronized void close() {
    running.forEach(Process::destroyForcibly);
    services.close();
    http.close();
    if (logsNamed) {
      return;
    }
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      out.println("not deleted: " + folder + ": " + e);
    }
  }

  private TimeoutException failed(String what) {
    logsNamed = true;
    return new TimeoutException(what + "; logs are in " + folder);
  }
}
