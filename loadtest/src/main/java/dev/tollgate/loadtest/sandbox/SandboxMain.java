package dev.tollgate.loadtest.sandbox;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox as a process of its own.
 *
 * <p>Settings are given as {@code --name=value} or as a system property {@code sandbox.name}:
 * {@code ledger} (needed), {@code port}, {@code api-key}, {@code seed}, {@code faults} (none,
 * default, harsh), {@code answer-delay-ms}, {@code idle-timeout-ms}, {@code render-ms}, {@code
 * word-pause-ms}, {@code output-bytes}; and for what it reports by itself {@code webhooks}
 * (addresses, with commas between them), {@code webhook-secret}, {@code webhook-faults} (as {@code
 * faults}). When it listens it prints one line, {@code sandbox ready port=...}. SIGTERM ends it
 * with a complete ledger; wrong settings end it with status 2.
 */
public final class SandboxMain {
  private static final Set<String> NAMES =
      Set.of(
          "ledger",
          "port",
          "api-key",
          "seed",
          "faults",
          "answer-delay-ms",
          "idle-timeout-ms",
          "render-ms",
          "word-pause-ms",
          "output-bytes",
          "webhooks",
          "webhook-secret",
          "webhook-faults");

  private final Map<String, String> arguments = new HashMap<>();

  private SandboxMain(String[] args) {
    for (String arg : args) {
      int equals = arg.indexOf('=');
      String name = arg.startsWith("--") && equals > 2 ? arg.substring(2, equals) : "";
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException("not a setting: " + arg);
      }
      arguments.put(name, arg.substring(equals + 1));
    }
  }

  /** Starts it and waits for SIGTERM. */
  public static void main(String[] args) throws InterruptedException {
    SandboxServer server;
    SandboxOptions options;
    try {
      options = new SandboxMain(args).options();
      server = SandboxServer.start(options);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "sandbox-stop"));
    System.out.println("sandbox ready " + options.withPort(server.port()));
    System.out.flush();
    new CountDownLatch(1).await();
  }

  private SandboxOptions options() {
    String ledger = setting("ledger");
    if (ledger == null) {
      throw new IllegalArgumentException("sandbox not started: --ledger=FILE is needed");
    }
    SandboxOptions defaults = SandboxOptions.of(Path.of(ledger));
    String faults = setting("faults");
    String apiKey = setting("api-key");
    return defaults
        .withPort((int) number("port", defaults.port()))
        .withApiKey(apiKey == null ? defaults.apiKey() : apiKey)
        .withFaults(
            number("seed", defaults.seed()), faults == null ? defaults.faults() : preset(faults))
        .withAnswerDelay(millis("answer-delay-ms", defaults.answerDelay()))
        .withIdleTimeout(millis("idle-timeout-ms", defaults.idleTimeout()))
        .withRenderTime(millis("render-ms", defaults.renderTime()))
        .withWordPause(millis("word-pause-ms", defaults.wordPause()))
        .withOutputBytes((int) number("output-bytes", defaults.outputBytes()))
        .withReporting(reporting(defaults.reporting()));
  }

  private Reporting reporting(Reporting defaults) {
    String webhooks = setting("webhooks");
    String secret = setting("webhook-secret");
    String faults = setting("webhook-faults");
    return new Reporting(
        webhooks == null
            ? defaults.addresses()
            : Arrays.stream(webhooks.split(",", -1)).map(URI::create).toList(),
        secret != null
            ? Optional.of(secret)
            : Optional.of(Kind.WEBHOOK_SECRET).filter(_ -> webhooks != null),
        faults == null ? defaults.faults() : preset(faults));
  }

  private static FaultPreset preset(String name) {
    for (FaultPreset preset : FaultPreset.values()) {
      if (preset.name().toLowerCase(Locale.ROOT).equals(name)) {
        return preset;
      }
    }
    throw new IllegalArgumentException(
        "sandbox not started: faults must be none, default or harsh: " + name);
  }

  private Duration millis(String name, Duration missing) {
    return Duration.ofMillis(number(name, missing.toMillis()));
  }

  private long number(String name, long missing) {
    String text = setting(name);
    try {
      return text == null ? missing : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "sandbox not started: " + name + " is not a number: " + text, e);
    }
  }

  private @Nullable String setting(String name) {
    String argument = arguments.get(name);
    return argument != null ? argument : System.getProperty("sandbox." + name);
  }
}
