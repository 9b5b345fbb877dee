package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.util.List;
import org.testcontainers.DockerClientFactory;

/** Servers as containers of the public images. */
final class ContainerServices implements Services {
  private final Lazy<ContainerPostgres> postgres;
  private final Lazy<ContainerRedis> redis;
  private final Lazy<ContainerKafka> kafka;

  ContainerServices(ServicesOptions options) {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new ServicesException(
          Reason.ENGINE_UNAVAILABLE,
          "containers were asked for and no Docker engine answers; start one, or use -D%s=embedded"
              .formatted(PROPERTY));
    }
    postgres = new Lazy<>(() -> ContainerPostgres.start(options));
    redis = new Lazy<>(() -> ContainerRedis.start(options));
    kafka = new Lazy<>(() -> ContainerKafka.start(options));
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
}
