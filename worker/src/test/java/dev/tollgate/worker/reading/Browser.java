package dev.tollgate.worker.reading;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One tab of a Chromium without a window, driven by the protocol of its developer tools. Confined
 * to the test's thread.
 */
final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://([^/]+)/.*");
  private static final JsonMapper JSON = new JsonMapper();
  private static final int PATIENCE_SECONDS = 60;

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final AtomicInteger asked = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();

  private Browser(Path program, Path folder) throws IOException, InterruptedException {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox", // it is root's on a build server, and sees this test's pages alone
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + folder,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String host = host();
    URI tab = URI.create("http://" + host + "/json/new?about:blank");
    HttpRequest open = HttpRequest.newBuilder(tab).PUT(HttpRequest.BodyPublishers.noBody()).build();
    String opened = http.send(open, HttpResponse.BodyHandlers.ofString()).body();
    URI address = URI.create(JSON.readTree(opened).get("webSocketDebuggerUrl").asString());
    socket = http.newWebSocketBuilder().buildAsync(address, new Answers()).join();
  }

  /** The program, where this machine has one. */
  static Optional<Path> program() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of(path.split(":", -1))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static Browser start(Path program, Path folder) throws IOException, InterruptedException {
    return new Browser(program, folder);
  }

  /** What it says of itself on standard error, read to its end, so that it never waits for us. */
  private String host() {
    CompletableFuture<String> host = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  Matcher matcher = LISTENING.matcher(line);
                  if (matcher.matches()) {
                    host.complete(matcher.group(1));
                  }
                }
                host.completeExceptionally(new IOException("the browser ended"));
              } catch (IOException e) {
                host.completeExceptionally(e);
              }
            });
    return host.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  void open(String address) {
    command("Page.navigate", Map.of("url", address));
  }

  /** The value of a JavaScript expression that is a string. */
  String evaluate(String expression) {
    JsonNode answer =
        command("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
    JsonNode thrown = answer.get("exceptionDetails");
    if (thrown != null) {
      return "threw " + thrown;
    }
    return answer.get("result").get("value").asString();
  }

  private JsonNode command(String method, Map<String, Object> params) {
    int id = asked.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    String text = JSON.writeValueAsString(Map.of("id", id, "method", method, "params", params));
    socket.sendText(text, true).join();
    return answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  /** Puts messages together and hands each answer to whoever asked. */
  private final class Answers implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      message.append(part);
      if (last) {
        JsonNode said = JSON.readTree(message.toString());
        message.setLength(0);
        JsonNode id = said.get("id");
        CompletableFuture<JsonNode> asking = id == null ? null : answers.remove(id.asInt());
        if (asking != null) {
          asking.complete(said.get("result") == null ? said : said.get("result"));
        }
      }
      from.request(1);
      return CompletableFuture.completedStage(null);
    }
  }

  @Override
  public void close() {
    socket.abort();
    http.close();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }
}
