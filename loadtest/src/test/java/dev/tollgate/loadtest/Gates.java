package dev.tollgate.loadtest;

import dev.tollgate.embedded.RedisServer;
import dev.tollgate.embedded.SharedServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import redis.clients.jedis.RedisClient;

/** What a test does to Redis behind the gate's back. */
final class Gates {
  private Gates() {}

  static void forgetAll() {
    forgetAll(SharedServices.redis());
  }

  static void forgetAll(RedisServer server) {
    try (RedisClient redis = RedisClient.create(server.host(), server.port())) {
      redis.flushAll();
    }
  }

  /** Lets a server refuse every write, as one does that was made a replica. */
  static void makeReadOnly(RedisServer server) {
    tell(server, "REPLICAOF 127.0.0.1 1");
  }

  /** The opposite. */
  static void makeWritable(RedisServer server) {
    tell(server, "REPLICAOF NO ONE");
  }

  private static void tell(RedisServer server, String command) {
    try (Socket socket = new Socket(server.host(), server.port())) {
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readNBytes(3), StandardCharsets.US_ASCII);
      if (!answer.equals("+OK")) {
        throw new IllegalStateException(command + " was answered with " + answer);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts a value where the gate keeps its entry of an operation. */
  static void forge(Stage stage, RedisServer server, String key, String value) {
    try (RedisClient redis = RedisClient.create(server.host(), server.port())) {
      redis.set(entry(stage, key), value);
    }
  }

  /** What the gate's entry of an operation is now; empty if there is none. */
  static String read(Stage stage, RedisServer server, String key) {
    try (RedisClient redis = RedisClient.create(server.host(), server.port())) {
      String value = redis.get(entry(stage, key));
      return value == null ? "" : value;
    }
  }

  /** Puts a list there, which no gate writes. */
  static void forgeList(Stage stage, RedisServer server, String key) {
    try (RedisClient redis = RedisClient.create(server.host(), server.port())) {
      redis.lpush(entry(stage, key), "what is this");
    }
  }

  private static String entry(Stage stage, String key) {
    return "tg:"
        + stage
            .database()
            .incarnation(
                new dev.tollgate.schema.store.Histories(stage.database().dsl())
                    .begin("test", java.util.List.of()))
        + ":"
        + HexFormat.of().formatHex(dev.tollgate.schema.key.OperationKey.parse(key).bytes());
  }
}
