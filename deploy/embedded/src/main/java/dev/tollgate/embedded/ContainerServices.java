package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;

/** Servers as containers of the public images. */
final class ContainerServices implements Services {
  private final Lazy<ContainerPostgres> postgres;
  private final Lazy<ContainerRedis> redis;
  private final Lazy<ContainerKafka> kafka;

  ContainerServices(ServicesOptions options) {
    requireEngine();
    postgres = new Lazy<>(() -> RootLocale.in(() -> ContainerPostgres.start(options)));
    redis = new Lazy<>(() -> RootLocale.in(() -> ContainerRedis.start(options)));
    kafka = new Lazy<>(() -> RootLocale.in(() -> ContainerKafka.start(options)));
  }

  @Override
  public PostgresServer postgres() {
    return postgres.get();
  }

  @Override
  public RedisServer redis() {
    return redis.get();
  }

  @Override
  public KafkaBroker kafka() {
    return kafka.get();
  }

  @Override
  public void close() {
    Closing.all(
        List.of(
            () -> kafka.close().ifPresent(KafkaBroker::close),
            () -> redis.close().ifPresent(RedisServer::close),
            () -> postgres.close().ifPresent(PostgresServer::close)));
  }

  private static void requireEngine() {
    String advice = "start one that works, or use -D" + PROPERTY + "=embedded";
    boolean available;
    try {
      available = RootLocale.in(() -> DockerClientFactory.instance().isDockerAvailable());
    } catch (ContainerLaunchException e) {
      throw new ServicesException(
          Reason.ENGINE_UNAVAILABLE,
          "a Docker engine answers, but Testcontainers' own helper container does not start; "
              + advice,
          e);
    }
    if (!available) {
      throw new ServicesException(
          Reason.ENGINE_UNAVAILABLE,
          "containers were asked for and no Docker engine answers; " + advice);
    }
  }
}
