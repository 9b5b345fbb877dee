package dev.tollgate.worker.gate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.embedded.RedisServer;

/**
 * A real Redis server of its own on a free port, which can be killed, brought back, stopped and
 * continued.
 */
final class TestRedis implements AutoCloseable {

  private final int port;
  private final List<String> settings;
  private RedisServer server;
  private RedisClient admin;
  private long pid;

  private TestRedis(int port, List<String> settings) {
    this.port = port;
    this.settings = settings;
    this.server = launch();
    this.admin = connect();
    this.pid = readPid();
  }

  static TestRedis start(String... settings) {
    return new TestRedis(freePort(), List.of(settings));
  }

  private RedisServer launch() {
    try {
      var builder =
          RedisServer.newRedisServer()
              .port(port)
              .setting("bind 127.0.0.1")
              .setting("save \"\"")
              .setting("appendonly no")
              .onShutdownForceStop(true);
      settings.forEach(builder::setting);
      RedisServer launched = builder.build();
      launched.start();
      return launched;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RedisClient connect() {
    return RedisClient.create("127.0.0.1", port);
  }

  private long readPid() {
    String info = admin.info("server");
    return info.lines()
        .filter(line -> line.startsWith("process_id:"))
        .mapToLong(line -> Long.parseLong(line.substring("process_id:".length()).strip()))
        .findFirst()
        .orElseThrow();
  }

  int port() {
    return port;
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + port);
  }

  /** A client for what a test does behind the gate's back. */
  RedisClient admin() {
    return admin;
  }

  /** Carries out any command, and returns its reply as text. */
  String command(ProtocolCommand command, String... arguments) {
    Object reply =
        admin.executeCommand(new CommandArguments(command).addObjects((Object[]) arguments));
    return reply instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : String.valueOf(reply);
  }

  /** How often the server has carried out a command. */
  long calls(String command) {
    String stats = admin.info("commandstats");
    String prefix = "cmdstat_" + command + ":calls=";
    return stats
        .lines()
        .filter(line -> line.startsWith(prefix))
        .mapToLong(line -> Long.parseLong(line.substring(prefix.length(), line.indexOf(','))))
        .findFirst()
        .orElse(0);
  }

  /** Ends the process without warning, as a lost machine does. */
  void kill() {
    admin.close();
    ProcessHandle handle = ProcessHandle.of(pid).orElseThrow();
    handle.destroyForcibly();
    handle.onExit().join();
  }

  /** Comes back empty on the same port. */
  void restart() {
    close();
    server = launch();
    admin = connect();
    pid = readPid();
  }

  /** Freezes the process: its kernel still takes connections and bytes. */
  void freeze() {
    signal("-STOP");
  }

  void thaw() {
    signal("-CONT");
  }

  private void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", name, Long.toString(pid)).start();
      if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new IllegalStateException("kill " + name + " " + pid + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    admin.close();
    try {
      server.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
