package dev.tollgate.loadtest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tollgate.loadtest.Stage;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One installation with many providers, each against a stub of its wire: every case's request is
 * published first, then each is judged. Confined to the test's thread.
 */
final class WireRun implements AutoCloseable {
  static final String CALLBACKS = "https://hooks.example.com/tollgate";

  private static final Pattern BASE = Pattern.compile("(?m)^  base: (https://[^/\\s]+)(\\S*)$");

  private static final Duration PATIENCE = Duration.ofSeconds(45);
  private static final Duration LEAST = Duration.ofSeconds(1);

  private final Stage stage;
  private final Path folder;
  private final Map<String, Provider> providers = new LinkedHashMap<>();
  private final Map<Run, String> keys = new LinkedHashMap<>();
  private final Deque<AutoCloseable> servers = new ArrayDeque<>();

  private long began;

  private record Provider(Fixture fixture, WireStub stub) {}

  /** One case at one configured provider; its text is the test's name. */
  record Run(String provider, WireCase played) {
    @Override
    public String toString() {
      return provider + ": " + played.name();
    }
  }

  WireRun(Class<?> owner) {
    this.stage = Stage.open(owner);
    // most of what happens here is trouble on purpose: no provider is to be left alone for it
    stage.set("worker.breaker.outcomes-min", "100000").set("worker.breaker.window", "100000");
    try {
      this.folder = Files.createTempDirectory("wire");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Stage stage() {
    return stage;
  }

  /**
   * What does not speak of tasks: an endpoint of one's own, and answers that are the result
   * themselves.
   */
  private static final Set<String> OTHERS =
      Set.of("http-json", "openai-images", "openai-chat", "openai-responses");

  /** Descriptors that come along and are of a service with tasks. */
  static List<String> services() {
    return Catalogue.shippedNames().stream().filter(name -> !OTHERS.contains(name)).toList();
  }

  /**
   * Configures a provider against a stub that plays these cases.
   *
   * @param callbacks whether its creates have to carry a callback address
   * @param config further configuration below the provider's name
   */
  WireRun with(
      String name,
      Fixture fixture,
      List<WireCase> cases,
      boolean callbacks,
      Map<String, String> config) {
    WireStub stub = new WireStub(fixture, cases, callbacks);
    servers.push(stub);
    return with(name, fixture, cases, stub, stub.origin(), config);
  }

  /** The same behind a proxy that sends each create to three backends, one after the other. */
  WireRun behindThriceProxy(
      String name, Fixture fixture, List<WireCase> cases, Map<String, String> config) {
    WireStub stub = new WireStub(fixture, cases, fixture.callbacks());
    ThriceProxy proxy =
        new ThriceProxy(
            stub.origin(),
            fixture.at("/create/method").asText(),
            fixture.at("/create/path").asText());
    stub.reachedAt(proxy.origin());
    servers.push(proxy);
    servers.push(stub);
    return with(name, fixture, cases, stub, proxy.origin(), config);
  }

  private WireRun with(
      String name,
      Fixture fixture,
      List<WireCase> cases,
      WireStub stub,
      URI origin,
      Map<String, String> config) {
    providers.put(name, new Provider(fixture, stub));
    String prefix = "providers." + name + ".";
    stage.set(prefix + "descriptor", fixture.at("/descriptor").asText(fixture.name()));
    stage.set(prefix + "endpoint", origin + basePath(fixture));
    fixture
        .at("/settings")
        .properties()
        .forEach(e -> stage.set(prefix + "settings." + e.getKey(), e.getValue().asText()));
    fixture
        .at("/secrets")
        .properties()
        .forEach(e -> stage.set(prefix + "secrets." + e.getKey(), secret(e.getValue().asText())));
    stage.set(prefix + "submit-deadline", "6s");
    stage.set(prefix + "connection-life", "1s");
    stage.set(prefix + "longest-hold", "500ms");
    stage.set(prefix + "visibility-lag", "500ms");
    stage.set(prefix + "callback-wait", "2s");
    config.forEach((key, value) -> stage.set(prefix + key, value));
    for (WireCase played : cases) {
      keys.put(new Run(name, played), "");
    }
    return this;
  }

  private String secret(String value) {
    try {
      return "file:" + Files.writeString(Files.createTempFile(folder, "secret", ""), value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The part of the endpoint that the operator replaces along with the host; the host that the
   * descriptor has must be the one that the provider documents.
   */
  private String basePath(Fixture fixture) {
    if (fixture.at("/base-path").isTextual()) {
      return fixture.at("/base-path").asText();
    }
    String text =
        new Catalogue(Optional.empty()).find(fixture.name()).map(Catalogue.Text::text).orElse("");
    Matcher base = BASE.matcher(text);
    assertThat(base.find()).as("%s has a base address", fixture.name()).isTrue();
    String host = base.group(1);
    for (var setting : fixture.at("/settings").properties()) {
      host = host.replace("{$settings." + setting.getKey() + "}", setting.getValue().asText());
    }
    assertThat(host).as("host of %s", fixture.name()).isEqualTo(fixture.address());
    return base.group(2);
  }

  /** Starts a worker and a reconciler, and publishes every case's request. */
  void start() {
    began = System.nanoTime();
    stage.run();
    List<Run> runs = List.copyOf(keys.keySet());
    List<String> published = stage.publishAll(runs.stream().map(this::request).toList());
    for (int i = 0; i < runs.size(); i++) {
      keys.put(runs.get(i), published.get(i));
    }
  }

  private String request(Run run) {
    ObjectNode request = Json.NODES.objectNode();
    request.put("kind", "video").put("product", run.played().name()).put("variant", run.provider());
    request.put("provider", run.provider());
    request.set("params", provider(run).fixture().params(run.played().name()));
    return request.toString();
  }

  List<Run> runs() {
    return List.copyOf(keys.keySet());
  }

  private Provider provider(Run run) {
    Provider provider = providers.get(run.provider());
    if (provider == null) {
      throw new IllegalArgumentException("no provider " + run.provider());
    }
    return provider;
  }

  /** Waits for what a case has to come to, and checks the provider's ledger. */
  void check(Run run) {
    WireCase played = run.played();
    String key = keys.getOrDefault(run, "");
    Book book = provider(run).stub().book();
    try {
      Stage.eventually().atMost(rest()).until(() -> wrong(run, key, book).isEmpty());
    } catch (RuntimeException e) {
      throw new AssertionError(
          "%s: %s%n%s%nevidence %s%nstub's complaints %s"
              .formatted(
                  run,
                  wrong(run, key, book),
                  stage.operation(key),
                  stage.evidence(key),
                  book.faults()),
          e);
    }
    assertThat(stage.evidence(key)).noneMatch(line -> has(line, played.never()));
    assertThat(book.creates(played.name()).stream().map(Book.Create::key).distinct())
        .as("one reference for all creates of an operation")
        .hasSize(1);
  }

  private static boolean has(String line, List<String> parts) {
    return parts.stream().anyMatch(line::contains);
  }

  /** All began together: what has not ended long after the first look does not end. */
  private Duration rest() {
    Duration rest = PATIENCE.minusNanos(System.nanoTime() - began);
    return rest.compareTo(LEAST) < 0 ? LEAST : rest;
  }

  /** What is not yet, or not, as it has to be. */
  private List<String> wrong(Run run, String key, Book book) {
    WireCase played = run.played();
    List<String> wrong = new ArrayList<>();
    if (book.polls(played.name()) < played.polls()) {
      wrong.add("asked about " + book.polls(played.name()) + " times only");
    }
    Map<String, String> operation = stage.operation(key);
    List<String> evidence = stage.evidence(key);
    if (!played.state().equals(operation.get("state"))) {
      wrong.add("state is not " + played.state());
    }
    if (!played.review().orElse("null").equals(operation.get("review"))) {
      wrong.add("review is not " + played.review());
    }
    for (String part : played.evidence()) {
      if (evidence.stream().noneMatch(line -> line.contains(part))) {
        wrong.add("no evidence " + part);
      }
    }
    List<String> made = book.tasks(played.name()).stream().map(Book.Task::id).toList();
    if (made.size() != played.tasks()) {
      wrong.add(made.size() + " tasks were made, not " + played.tasks());
    }
    String expected = made.isEmpty() || played.state().equals("unknown") ? "null" : made.getFirst();
    // it may say as well where the task is to be asked about
    String remoteId = operation.getOrDefault("remote_id", "");
    if (!remoteId.equals(expected) && !remoteId.endsWith("/" + expected)) {
      wrong.add("remote id is not " + expected);
    }
    if (book.creates(played.name()).size() != played.creates()) {
      wrong.add(book.creates(played.name()).size() + " creates, not " + played.creates());
    }
    List<String> cancelled = book.cancelled().stream().filter(made::contains).toList();
    if (cancelled.size() != played.cancelled() || cancelled.contains(expected)) {
      wrong.add("cancelled are " + cancelled + ", not " + played.cancelled());
    }
    return wrong;
  }

  /** Requests that did not look as the provider documents them, by provider. */
  List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    providers.forEach(
        (name, provider) ->
            provider.stub().book().faults().forEach(fault -> complaints.add(name + ": " + fault)));
    return complaints;
  }

  List<String> complaints(String provider) {
    return complaints().stream().filter(line -> line.startsWith(provider + ": ")).toList();
  }

  @Override
  public void close() {
    stage.close();
    for (AutoCloseable server : servers) {
      try {
        server.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
