package dev.tollgate.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.testcontainers.containers.GenericContainer;

/** Redis as a container. Thread-safe. */
final class ContainerRedis implements RedisServer {
  private static final String IMAGE = "redis:7-alpine";
  private static final int PORT = 6379;

  private final ManagedContainer server;

  private ContainerRedis(ManagedContainer server) {
    this.server = server;
  }

  static ContainerRedis start(ServicesOptions options) {
    Map<String, String> settings = new TreeMap<>(Map.of("save", "", "appendonly", "no"));
    settings.putAll(options.redisSettings());
    List<String> command = new ArrayList<>(List.of("redis-server"));
    settings.forEach((name, value) -> command.addAll(List.of("--" + name, value)));
    GenericContainer<?> container = new GenericContainer<>(IMAGE);
    container.setCommand(command.toArray(String[]::new));
    ManagedContainer server =
        new ManagedContainer("Redis", container, PORT, options.redisPort(), options.startTimeout());
    ContainerRedis redis = new ContainerRedis(server);
    server.startFirst(redis::answers);
    return redis;
  }

  private boolean answers() {
    return RedisPing.answers(host(), port());
  }

  @Override
  public String host() {
    return server.host();
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
    server.start(this::answers);
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
    server.close();
  }
}
