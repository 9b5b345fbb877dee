package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Redis as a child process. Thread-safe. */
final class LocalRedis implements RedisServer {
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

  private final ManagedServer server;

  private LocalRedis(ManagedServer server) {
    this.server = server;
  }

  static LocalRedis start(DataFolder folder, ServicesOptions options) {
    Kind kind = new Kind(folder, options, folder.binaries().redis());
    return new LocalRedis(
        new ManagedServer(kind, List.of(options.redisPort()), options.startTimeout()).startFirst());
  }

  private record Kind(DataFolder folder, ServicesOptions options, Path program)
      implements ManagedServer.Kind {
    @Override
    public String name() {
      return "Redis";
    }

    @Override
    public ServerProcess.Spec prepare(List<Integer> ports) {
      Path data = folder.of("redis");
      try {
        Files.createDirectories(data);
      } catch (IOException e) {
        throw new ServicesException(Reason.FILES, "cannot make Redis's folder " + data, e);
      }
      Map<String, String> settings = new LinkedHashMap<>();
      settings.put("bind", Ports.HOST);
      settings.put("port", Integer.toString(ports.getFirst()));
      settings.put("dir", data.toString());
      settings.put("save", "");
      settings.put("appendonly", "no");
      settings.put("daemonize", "no");
      settings.putAll(options.redisSettings());
      List<String> command = new ArrayList<>(List.of(program.toString()));
      settings.forEach((name, value) -> command.addAll(List.of("--" + name, value)));
      return new ServerProcess.Spec(name(), command, Map.of(), folder.log("redis"), "KILL");
    }

    @Override
    public boolean answers(List<Integer> ports) {
      return RedisPing.answers(Ports.HOST, ports.getFirst());
    }
  }

  @Override
  public String host() {
    return Ports.HOST;
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public boolean isUp() {
    return server.isUp();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void pause() {
    server.freeze();
  }

  @Override
  public void resume() {
    server.thaw();
  }

  @Override
  public void close() {
    server.close("TERM", STOP_PATIENCE);
  }

  OptionalLong pid() {
    return server.pid();
  }
}
