package dev.tollgate.loadtest.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.loadtest.Stage;
import dev.tollgate.loadtest.webhook.ReportingProvider.Task;
import dev.tollgate.worker.Worker;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events in any order and number, before and instead of answers, with the receiver restarted. */
final class WebhookWeatherIT {
  private static final int OPERATIONS = Integer.getInteger("weather.operations", 1000);
  private static final int COPIES_MAX = 46;
  private static final int CONNECTIONS = 8;
  private static final int RESTARTS = 5;
  private static final String CALLBACKS = "https://hooks.example.com/tollgate";

  private final Stage stage = Stage.open(WebhookWeatherIT.class);
  private final CountDownLatch release = new CountDownLatch(1);
  private int port;
  private Deliveries deliveries;

  @BeforeEach
  void open() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    deliveries = new Deliveries(port, CONNECTIONS);
  }

  @AfterEach
  void close() {
    release.countDown();
    deliveries.close();
    stage.close();
  }

  private void configure(ReportingProvider provider, String offers) throws IOException {
    Path folder = Files.createTempDirectory("secrets");
    Path key = Files.writeString(folder.resolve("key"), "sk-reporting-0123");
    Path secret = Files.writeString(folder.resolve("webhook"), Deliveries.SECRET);
    stage
        .set("providers.reports.descriptor", "http-json")
        .set("providers.reports.endpoint", provider.endpoint().toString())
        .set("providers.reports.offers", offers)
        .set("providers.reports.api-key", "file:" + key)
        .set("providers.reports.secrets.webhook-secret", "file:" + secret)
        .set("providers.reports.submit-deadline", "2s")
        .set("providers.reports.connection-life", "1s")
        .set("providers.reports.longest-hold", "500ms")
        .set("providers.reports.visibility-lag", "500ms")
        .set("providers.reports.callback-wait", "10m")
        .set("callbacks", CALLBACKS);
  }

  private Worker receiver() {
    stage.set("webhooks.port", "" + port);
    Worker worker = stage.worker();
    stage.unset("webhooks.port");
    return worker;
  }

  private static String body(Task task, String status) {
    return "{\"id\":\"%s\",\"status\":\"%s\"}".formatted(task.id, status);
  }

  private static Deliveries.Event event(Task task, String id, String status) {
    return new Deliveries.Event("/webhooks/reports", id + "-" + task.id, body(task, status));
  }

  private void report(Task task, String id, String status) {
    deliveries.add(event(task, id, status));
  }

  private Runnable reports(Task task, String id, String status) {
    Deliveries.Event event = event(task, id, status);
    return () -> deliveries.add(event);
  }

  /** What the provider does with one task: each step is a moment at which something is reported. */
  private void weather(Task task, Random random) {
    List<Runnable> steps = new ArrayList<>();
    steps.add(reports(task, "queued", "queued"));
    steps.add(reports(task, "working-1", "processing"));
    steps.add(reports(task, "working-2", "processing"));
    for (int i = 0; i < 3; i++) {
      steps.add(reports(task, "done", "succeeded"));
    }
    steps.add(reports(task, "late", "failed"));
    steps.add(() -> task.status = "processing");
    Collections.shuffle(steps, random);
    for (Runnable step : steps) {
      int copies = 1 + random.nextInt(COPIES_MAX);
      for (int i = 0; i < copies; i++) {
        step.run();
      }
    }
    task.status = "succeeded";
  }

  @Test
  void fc60_fc63_fc64_weather_eachCompletesOnceAndEachEventIsEvidenceOnce() throws Exception {
    Random random = new Random(4711);
    Consumer<Task> created =
        task -> {
          synchronized (random) {
            weather(task, random);
          }
        };
    try (ReportingProvider provider =
        new ReportingProvider(
            created, task -> release.await(task.id.hashCode() & 127, TimeUnit.MILLISECONDS))) {
      configure(provider, "lookup-by-reference");
      stage.run();
      Worker receiver = receiver();
      List<String> keys =
          stage.publishAll(
              IntStream.range(0, OPERATIONS)
                  .mapToObj(n -> Stage.request("reports", "weather-" + n))
                  .toList());
      for (int i = 1; i <= RESTARTS; i++) {
        int many = OPERATIONS * i / (RESTARTS + 1);
        Stage.eventually().until(() -> provider.tasks().size() > many);
        stage.stop(receiver);
        receiver = receiver();
      }
      Stage.eventually()
          .atMost(Duration.ofMinutes(8))
          .until(() -> provider.tasks().size() == OPERATIONS && deliveries.open() == 0);
      Stage.eventually()
          .until(
              () ->
                  Collections.frequency(List.copyOf(stage.states().values()), "complete")
                      == OPERATIONS);
      Stage.eventually().until(() -> rows("inbox WHERE due IS NOT NULL") == 0);
      assertThat(deliveries.failures()).as("the receiver was away now and then").isPositive();
      assertThat(rows("inbox")).isEqualTo(5L * OPERATIONS);
      assertThat(rows("evidence WHERE source = 'webhook'")).isEqualTo(5L * OPERATIONS);
      assertThat(rows("evidence WHERE code = 'SUSPECTED_DUPLICATE'")).isZero();
      assertThat(rows("output")).isEqualTo(OPERATIONS);
      assertThat(files()).isEqualTo(OPERATIONS);
      assertThat(completions()).hasSize(OPERATIONS).containsOnlyKeys(keys);
      assertThat(completions().values()).containsOnly(1L);
    }
  }

  private Map<String, Long> completions() {
    Map<String, Long> completions = new HashMap<>();
    for (var record : stage.topic(stage.topics().events()).records()) {
      String event = new String(record.value(), UTF_8);
      if (event.contains("\"state\":\"complete\"")) {
        completions.merge(new String(record.key(), UTF_8), 1L, Long::sum);
      }
    }
    return completions;
  }

  private long rows(String from) {
    Object count = stage.database().dsl().fetchSingle("SELECT count(*) FROM " + from).get(0);
    return ((Number) Objects.requireNonNull(count)).longValue();
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.walk(stage.outputs())) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  /** No look-up, no promise: nothing but the callback says that there is a task. */
  @Test
  void callbackAlone_resolvesACreateWhoseAnswerNeverCame() throws Exception {
    try (ReportingProvider provider =
        new ReportingProvider(
            task -> {},
            task -> {
              throw new IOException("no answer");
            })) {
      configure(provider, "callback-per-request");
      stage.unset("providers.reports.secrets.webhook-secret");
      stage.reconciler();
      receiver();
      String key = stage.publish(Stage.request("reports", "lost"));
      stage.awaitState(key, "unknown");
      Task task = provider.tasks().getFirst();
      task.status = "succeeded";
      assertThat(task.callback).startsWith(CALLBACKS + "/callbacks/reports/");
      String path = task.callback.substring(CALLBACKS.length());
      deliveries.add(new Deliveries.Event(path, "", body(task, "succeeded")));
      stage.awaitState(key, "complete");
      assertThat(provider.tasks()).hasSize(1);
      assertThat(stage.evidence(key))
          .anyMatch(line -> line.startsWith("webhook EVENT_RECEIVED"))
          .anyMatch(line -> line.startsWith("lookup FOUND"));
    }
  }

  /** One address for the whole account, and nothing else; its events name the creates' own key. */
  @Test
  void eventWithOurReference_resolvesACreateWhoseAnswerNeverCame() throws Exception {
    try (ReportingProvider provider =
        new ReportingProvider(
            task -> {},
            task -> {
              throw new IOException("no answer");
            })) {
      configure(provider, "none");
      Path folder = Files.createTempDirectory("descriptors");
      Files.writeString(folder.resolve("echoing.yaml"), echoing());
      stage
          .set("providers-folder", folder.toString())
          .set("providers.reports.descriptor", "echoing")
          .set("providers.reports.connection-life", "1m");
      stage.reconciler();
      receiver();
      String key = stage.publish(Stage.request("reports", "lost"));
      stage.awaitState(key, "unknown");
      Task task = provider.tasks().getFirst();
      String other = stage.publish(Stage.request("reports", "lost-too"));
      stage.awaitState(other, "unknown");
      assertThat(task.callback).isEmpty();
      task.status = "succeeded";
      String named = body(task, "succeeded").replace("{", "{\"ref\":\"" + task.key + "\",");
      deliveries.add(new Deliveries.Event("/webhooks/reports", "done", named));
      stage.awaitState(key, "complete");
      assertThat(provider.tasks()).hasSize(2);
      assertThat(stage.evidence(key))
          .anyMatch(line -> line.startsWith("webhook EVENT_RECEIVED"))
          .anyMatch(line -> line.startsWith("lookup FOUND"));
      assertThat(stage.operation(other)).containsEntry("state", "unknown");
      assertThat(stage.evidence(other)).noneMatch(line -> line.startsWith("webhook"));
    }
  }

  /** The endpoint of one's own, but for what its events name. */
  private static String echoing() {
    return new Catalogue(Optional.empty())
        .find("http-json")
        .orElseThrow()
        .text()
        .replace("name: http-json", "name: echoing")
        .replace(
            "(if $offers | index(\"lookup-by-reference\") then {client_reference: $key} else {} end)",
            "{client_reference: $key}")
        .replace("  event-id: $headers", "  reference: .ref | strings\n  event-id: $headers");
  }

  @Test
  void fc62_eventBeforeTheAnswer_endsItWithoutWaitingForAScheduledPoll() throws Exception {
    try (ReportingProvider provider =
        new ReportingProvider(task -> {}, _ -> release.await(20, TimeUnit.SECONDS))) {
      configure(provider, "lookup-by-reference");
      stage
          .set("providers.reports.submit-deadline", "30s")
          .set("worker.follow-after", "1h")
          .set("worker.follow-pace-max", "1h");
      stage.reconciler();
      receiver();
      String key = stage.publish(Stage.request("reports", "early"));
      Stage.eventually().until(() -> provider.tasks().size() == 1);
      Task task = provider.tasks().getFirst();
      task.status = "succeeded";
      report(task, "done", "succeeded");
      Stage.eventually().until(() -> deliveries.open() == 0);
      assertThat(stage.operation(key)).containsEntry("state", "sending");
      release.countDown();
      stage.awaitState(key, "complete");
      assertThat(provider.polls()).hasSize(1);
    }
  }

  /** FC-58: webhooks came, and from one task on they did not, without a word. */
  @Test
  void fc58_webhooksThatStopComing_areNotMissed_askingGoesOn() throws Exception {
    try (ReportingProvider provider = new ReportingProvider(task -> {}, _ -> {})) {
      configure(provider, "lookup-by-reference");
      stage.set("worker.follow-after", "2s").set("worker.follow-pace-max", "2s");
      stage.reconciler();
      receiver();
      String told = stage.publish(Stage.request("reports", "told"));
      stage.awaitState(told, "accepted");
      Task first = provider.tasks().getFirst();
      first.status = "succeeded";
      report(first, "done", "succeeded");
      stage.awaitState(told, "complete");
      assertThat(stage.evidence(told)).anyMatch(line -> line.startsWith("webhook"));

      List<String> untold =
          stage.publishAll(
              IntStream.range(0, 5)
                  .mapToObj(n -> Stage.request("reports", "silent-" + n))
                  .toList());
      untold.forEach(key -> stage.awaitState(key, "accepted"));
      provider.tasks().forEach(task -> task.status = "succeeded");
      for (String key : untold) {
        stage.awaitState(key, "complete");
        assertThat(stage.evidence(key)).noneMatch(line -> line.startsWith("webhook"));
      }
      assertThat(provider.tasks()).hasSize(6);
    }
  }

  /**
   * FC-50: the operation's deadline passes while a status call hangs. It was for the send: what is
   * accepted is paid, so it stays accepted, and what becomes of it is taken.
   */
  @Test
  void fc50_deadlinePassesWhileAStatusCallHangs_staysAccepted_andTheLateOutputIsTaken()
      throws Exception {
    try (ReportingProvider provider = new ReportingProvider(task -> {}, _ -> {})) {
      CountDownLatch hanging = new CountDownLatch(1);
      provider.asked =
          _ -> {
            hanging.countDown();
            release.await(30, TimeUnit.SECONDS);
            throw new IOException("no answer");
          };
      configure(provider, "lookup-by-reference");
      stage.run();
      Instant deadline = Instant.now().plusSeconds(6);
      String key =
          stage.publish(
              Stage.request("reports", "late")
                  .replaceFirst("\\{", "{\"deadline\":\"" + deadline + "\","));
      stage.awaitState(key, "accepted");
      assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
      Stage.eventually().until(() -> Instant.now().isAfter(deadline.plusSeconds(1)));
      assertThat(stage.operation(key)).containsEntry("state", "accepted");
      release.countDown();
      Stage.eventually().until(() -> provider.polls().size() > 2);
      assertThat(stage.operation(key))
          .as("calls that fail after the deadline end nothing")
          .containsEntry("state", "accepted")
          .containsEntry("review", "null");
      provider.tasks().getFirst().status = "succeeded";
      provider.asked = _ -> {};
      stage.awaitState(key, "complete");
      assertThat(provider.tasks()).hasSize(1);
      assertThat(stage.operation(key)).containsEntry("attempts", "1");
    }
  }
}
