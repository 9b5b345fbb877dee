package dev.tollgate.cli.local;

import dev.tollgate.loadtest.sandbox.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration of a Tollgate whose providers are those of one sandbox: named as the sandbox's
 * kinds, impatient, so that a person sees an unknown being settled within seconds. Immutable.
 *
 * @param bootstrapServers Kafka
 * @param topicPrefix of all topics; consumer groups are named after it where it is not the usual
 *     one
 * @param databaseUrl JDBC URL, without user and password
 * @param databaseUser who may do everything in that database
 * @param databasePassword of that user
 * @param redisUrl Redis, or none
 * @param sandboxPort where the sandbox listens on 127.0.0.1
 * @param outputs folder of stored outputs
 * @param sandboxKey file that holds the key that the sandbox asks for
 */
public record LocalConfig(
    String bootstrapServers,
    String topicPrefix,
    String databaseUrl,
    String databaseUser,
    String databasePassword,
    Optional<String> redisUrl,
    int sandboxPort,
    Path outputs,
    Path sandboxKey) {
  /** The usual topic prefix. */
  public static final String TOPIC_PREFIX = "generation";

  /** All settings, by full name, in an order that reads well; a new map that is the caller's. */
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("tollgate.kafka.bootstrap-servers", bootstrapServers);
    settings.put("tollgate.kafka.topic-prefix", topicPrefix);
    if (!topicPrefix.equals(TOPIC_PREFIX)) {
      settings.put("tollgate.kafka.worker-group", topicPrefix + "-workers");
      settings.put("tollgate.kafka.reconciler-group", topicPrefix + "-reconcilers");
    }
    settings.put("tollgate.database.url", databaseUrl);
    settings.put("tollgate.database.user", databaseUser);
    settings.put("tollgate.database.password", databasePassword);
    redisUrl.ifPresent(url -> settings.put("tollgate.redis.url", url));
    settings.put("tollgate.outputs.folder", outputs.toAbsolutePath().normalize().toString());
    for (Kind kind : Kind.values()) {
      provider(settings, kind);
    }
    settings.put("tollgate.worker.lease-grace", "1s");
    // the sandbox reports by itself: who asks about a task finds what a report did not tell
    settings.put("tollgate.worker.follow-after", "1s");
    settings.put("tollgate.worker.follow-pace-max", "5s");
    settings.put("tollgate.worker.retry-pause", "200ms");
    settings.put("tollgate.worker.retry-pause-max", "5s");
    // a sandbox misbehaves all the time, and nobody should wait for it to get better
    settings.put("tollgate.worker.breaker.unknown-percent", "80");
    settings.put("tollgate.worker.breaker.pause-max", "2s");
    settings.put("tollgate.reconciler.look-after", "500ms");
    settings.put("tollgate.reconciler.look-pause", "300ms");
    settings.put("tollgate.reconciler.look-pause-max", "5s");
    settings.put("tollgate.reconciler.look-lease", "15s");
    return settings;
  }

  /**
   * The settings of one process.
   *
   * @param name of the process, in attempts and in the database's list of sessions
   * @param httpPort for metrics and health; none if empty
   */
  public Map<String, String> settings(String name, Optional<Integer> httpPort) {
    Map<String, String> settings = settings();
    settings.put("tollgate.worker.name", name);
    httpPort.ifPresent(port -> settings.put("tollgate.http.port", String.valueOf(port)));
    return settings;
  }

  /**
   * Has a worker receive what providers report, at a port on 127.0.0.1.
   *
   * @param settings of that worker
   */
  public static void receive(Map<String, String> settings, int webhooksPort) {
    settings.put("tollgate.webhooks.port", String.valueOf(webhooksPort));
  }

  /** The address below which the sandbox reports to whoever receives at a port. */
  public static String webhooks(int webhooksPort) {
    return "http://%s:%s/webhooks".formatted(LocalPorts.HOST, String.valueOf(webhooksPort));
  }

  /**
   * Writes the sandbox's key, and what it signs its webhooks with, to files that only their owner
   * may read.
   */
  public void writeSandboxSecrets() throws IOException {
    place(sandboxKey, Kind.SANDBOX_KEY);
    place(webhookSecret(), Kind.WEBHOOK_SECRET);
  }

  private Path webhookSecret() {
    return sandboxKey.toAbsolutePath().normalize().resolveSibling("sandbox-webhook-secret");
  }

  private void provider(Map<String, String> settings, Kind kind) {
    String prefix = "tollgate.providers." + kind.path() + ".";
    settings.put(
        prefix + "endpoint",
        "http://%s:%s/%s".formatted(LocalPorts.HOST, String.valueOf(sandboxPort), kind.path()));
    settings.put(prefix + "descriptor", kind.descriptor());
    settings.put(prefix + "offers", kind.offers());
    settings.put(prefix + "api-key", "file:" + sandboxKey.toAbsolutePath().normalize());
    if (kind.reports()) {
      settings.put(prefix + "secrets.webhook-secret", "file:" + webhookSecret());
    }
    settings.put(prefix + "submit-deadline", "2s");
    settings.put(prefix + "connection-life", "2s");
    settings.put(prefix + "longest-hold", "2s");
    settings.put(prefix + "visibility-lag", "1s");
    settings.put(prefix + "promise-retention", "24h");
  }

  /**
   * Writes settings to a properties file that only its owner may read, replacing what was there in
   * one step.
   */
  public static void write(Path file, String comment, Map<String, String> settings)
      throws IOException {
    StringBuilder text = new StringBuilder("# ").append(comment).append('\n');
    settings.forEach(
        (name, value) ->
            text.append(escapedKey(name)).append('=').append(escaped(value)).append('\n'));
    place(file, text.toString());
  }

  private static void place(Path file, String text) throws IOException {
    Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
    Path fresh =
        Files.createTempFile(
            folder,
            ".config",
            ".tmp",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, text, StandardCharsets.US_ASCII);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String escapedKey(String key) {
    return escaped(key).replaceAll("[ =:#!]", "\\\\$0");
  }

  /** As {@link java.util.Properties} reads it: in ASCII. */
  private static String escaped(String value) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\') {
        out.append("\\\\");
      } else if (c < ' ' || c > '~' || (c == ' ' && i == 0)) {
        out.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }
}
