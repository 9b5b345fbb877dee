package dev.tollgate.loadtest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tollgate.loadtest.wire.Book.Shown;
import dev.tollgate.loadtest.wire.Book.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A service on loopback that speaks one provider's wire, as its fixture has it. It takes nothing
 * that the provider's documents do not have, and keeps a ledger of what it was asked and made.
 * Thread-safe.
 */
final class WireStub implements AutoCloseable {
  private static final String OUTPUT = "/stub-outputs/";

  private final Fixture fixture;
  private final boolean callbacks;
  private final Map<String, WireCase> cases = new HashMap<>();
  private final Book book = new Book();
  private final Pages pages;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final HttpServer server;

  /** Volatile: set by the test's thread, read by those that answer. */
  private volatile URI reachedAt;

  /**
   * @param callbacks whether creates have to carry a callback address, or must not
   */
  WireStub(Fixture fixture, List<WireCase> cases, boolean callbacks) {
    this.fixture = fixture;
    this.callbacks = callbacks;
    cases.forEach(one -> this.cases.put(one.name(), one));
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.pages = new Pages(book, this::values);
    strangers();
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    this.reachedAt = origin();
    server.start();
  }

  /** The address that its answers name, where something stands before it. */
  void reachedAt(URI address) {
    reachedAt = address;
  }

  Book book() {
    return book;
  }

  URI origin() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /**
   * Tasks of other operations in the same account, one a second up to now. They carry references as
   * Tollgate makes them: one of another form would prove that none is there no longer.
   */
  private void strangers() {
    JsonNode strangers = fixture.at("/strangers");
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    for (int i = strangers.path("count").asInt(); i > 0; i--) {
      book.make(
          id(),
          "",
          Optional.of("tg-" + "e".repeat(32)),
          strangers.path("body"),
          now.minusSeconds(i),
          Shown.AS_IT_IS);
    }
  }

  private String id() {
    return fixture.at("/id").asText();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Asked asked = Asked.read(exchange);
      Reply reply;
      try {
        reply = answer(asked);
      } catch (RuntimeException e) {
        book.fault("the stub failed on " + asked + ": " + e);
        reply = Reply.CUT;
      }
      reply.send(exchange);
    }
  }

  private Reply answer(Asked asked) {
    if (asked.path().startsWith(OUTPUT)) {
      return Reply.film("the film of " + asked.path().substring(OUTPUT.length()));
    }
    List<String> faults = new ArrayList<>();
    JsonNode create = fixture.at("/create");
    if (fits(create, asked, faults).isPresent()) {
      return create(asked);
    }
    for (JsonNode call : fixture.at("/calls")) {
      Optional<Matcher> path = fits(call, asked, faults);
      if (path.isPresent()) {
        return call(call, path.get(), asked);
      }
    }
    book.fault("nothing here takes " + asked + ": " + faults);
    return Reply.gatewayPage(404);
  }

  /** Whether a request is meant for an endpoint: its method, its path, its query. */
  private Optional<Matcher> fits(JsonNode call, Asked asked, List<String> faults) {
    Matcher path = Pattern.compile(call.path("path").asText()).matcher(asked.path());
    if (!call.path("method").asText("GET").equals(asked.method()) || !path.matches()) {
      return Optional.empty();
    }
    JsonNode query = call.has("query") ? call.path("query") : Json.NODES.objectNode();
    List<String> wrong = Json.faults(query, asked.query(), callbacks, "query");
    faults.addAll(wrong);
    return wrong.isEmpty() ? Optional.of(path) : Optional.empty();
  }

  /** What is wrong with the headers: those named must be there, others may be. */
  private List<String> headerFaults(JsonNode more, Asked asked) {
    List<String> faults = new ArrayList<>();
    Json.merged(fixture.at("/headers"), more)
        .properties()
        .forEach(
            e ->
                faults.addAll(
                    Json.faults(
                        e.getValue(),
                        asked.headers().path(e.getKey()),
                        callbacks,
                        "header " + e.getKey())));
    return faults;
  }

  private Reply create(Asked asked) {
    String caseName = Fixture.caseOf(asked.text());
    JsonNode create = fixture.at("/create");
    List<String> faults = headerFaults(create.path("headers"), asked);
    JsonNode body =
        Json.fill(
            create.path("body"), Map.of("prompt", Json.NODES.textNode(Fixture.prompt(caseName))));
    faults.addAll(Json.faults(body, asked.body(), callbacks, "body"));
    WireCase played = cases.get(caseName);
    Optional<String> key =
        create.has("key") ? Optional.of(asked.part(create.path("key").asText())) : Optional.empty();
    int before = book.create(new Book.Create(caseName, key));
    if (!faults.isEmpty() || played == null) {
      book.fault("create for case '" + caseName + "': " + faults);
      return Reply.of(fixture.at("/wrong"), Map.of());
    }
    Optional<Task> twin = key.flatMap(book::byKey);
    if (twin.isPresent() && create.has("twin")) {
      if (played.createAnswer(before).equals("hold")) {
        hold();
        return Reply.CUT;
      }
      String name = create.path("twin").asText();
      return Reply.of(fixture.at("/answers/" + name), values(twin.get()));
    }
    return created(played.createAnswer(before), caseName, key, asked.body());
  }

  private Reply created(String answer, String caseName, Optional<String> key, JsonNode body) {
    return switch (answer) {
      case "swallow" -> Reply.CUT;
      case "lost" -> {
        make(caseName, key, body, Shown.AS_IT_IS);
        yield Reply.CUT;
      }
      case "lost-and-not-listed-yet" -> {
        make(caseName, key, body, Shown.ONCE_ASKED_AGAIN);
        yield Reply.CUT;
      }
      case "lost-and-not-echoed" -> {
        make(caseName, key, body, Shown.WITHOUT_ECHOES);
        yield Reply.CUT;
      }
      case "gateway" -> {
        make(caseName, key, body, Shown.AS_IT_IS);
        yield Reply.gatewayPage(502);
      }
      case "hold" -> {
        make(caseName, key, body, Shown.AS_IT_IS);
        hold();
        yield Reply.CUT;
      }
      default -> {
        for (String group : List.of("rejections", "throttles", "doubts")) {
          JsonNode error = fixture.at("/" + group + "/" + answer);
          if (!error.isMissingNode()) {
            if (group.equals("doubts")) {
              make(caseName, key, body, Shown.AS_IT_IS);
            }
            yield error(error);
          }
        }
        yield Reply.of(
            fixture.root().required("answers").required(answer),
            values(make(caseName, key, body, Shown.AS_IT_IS)));
      }
    };
  }

  private Task make(String caseName, Optional<String> key, JsonNode body, Shown shown) {
    return book.make(id(), caseName, key, body, Instant.now(), shown);
  }

  /** An error in the provider's own shape. */
  private Reply error(JsonNode error) {
    Map<String, JsonNode> values = new HashMap<>();
    error.properties().forEach(e -> values.put(e.getKey(), e.getValue()));
    ObjectNode answer =
        Json.merged(error.has("body") ? Json.NODES.objectNode() : fixture.at("/error"), error);
    return Reply.of(answer, values);
  }

  private void hold() {
    try {
      closing.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Reply call(JsonNode call, Matcher path, Asked asked) {
    List<String> faults = headerFaults(call.path("headers"), asked);
    if (call.has("body")) {
      faults.addAll(Json.faults(call.path("body"), asked.body(), callbacks, "body"));
    }
    if (!faults.isEmpty()) {
      book.fault(asked + ": " + faults);
      return Reply.of(fixture.at("/wrong"), Map.of());
    }
    if (call.has("list")) {
      return pages.answer(call, asked, reachedAt);
    }
    String id =
        call.has("id") ? asked.part(call.path("id").asText()) : Asked.decoded(path.group("id"));
    Optional<Task> task = book.byId(id).or(() -> book.byKey(id));
    if (task.isEmpty()) {
      return Reply.of(fixture.at("/unknown-task"), Map.of());
    }
    if (call.path("cancels").asBoolean()) {
      book.cancel(task.get());
    }
    return call.has("answer")
        ? Reply.of(call.path("answer"), values(task.get()))
        : status(task.get());
  }

  /** The next answer about a task, as its case has it. */
  private Reply status(Task task) {
    WireCase played = cases.get(task.caseName());
    String word = played == null ? "running" : played.statusAnswer(book.poll(task.caseName()));
    return switch (word) {
      case "cut" -> Reply.CUT;
      case "unknown" -> Reply.of(fixture.at("/unknown-task"), values(task));
      default -> {
        JsonNode state = fixture.at("/states/" + word);
        if (!state.isMissingNode()) {
          yield Reply.of(state, values(task));
        }
        yield switch (word) {
          case "limited" -> Reply.gatewayPage(429);
          case "broken" -> Reply.gatewayPage(500);
          default ->
              throw new IllegalArgumentException("no state " + word + " in " + fixture.name());
        };
      }
    };
  }

  private Map<String, JsonNode> values(Task task) {
    Map<String, JsonNode> values = new HashMap<>();
    values.put("id", Json.NODES.textNode(task.id()));
    values.put("id_number", Json.number(task.id()));
    values.put("n", Json.NODES.numberNode(task.n()));
    values.put("key", Json.NODES.textNode(task.key().orElse("")));
    values.put("body", task.body());
    values.put("created_iso", Json.NODES.textNode(task.created().toString()));
    values.put("created_ms", Json.NODES.numberNode(task.created().toEpochMilli()));
    values.put("created_s", Json.NODES.numberNode(task.created().getEpochSecond()));
    values.put("origin", Json.NODES.textNode(reachedAt.toString()));
    values.put("output", Json.NODES.textNode(reachedAt + OUTPUT + task.n() + ".mp4"));
    fixture
        .at("/echoes")
        .properties()
        .forEach(
            e -> {
              JsonNode echo = task.body().at(e.getValue().asText());
              values.put(
                  e.getKey(),
                  echo.isMissingNode() || task.shown() == Shown.WITHOUT_ECHOES
                      ? NullNode.getInstance()
                      : echo);
            });
    return values;
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
  }
}
