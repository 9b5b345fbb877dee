package dev.tollgate.embedded;

import java.util.List;
import java.util.Optional;

/** Servers as child processes of this one. */
final class LocalServices implements Services {
  private final Lazy<DataFolder> folder;
  private final Lazy<LocalPostgres> postgres;
  private final Lazy<LocalRedis> redis;
  private final Lazy<LocalKafka> kafka;

  LocalServices(ServicesOptions options) {
    folder = new Lazy<>(() -> DataFolder.open(options.data()));
    postgres = new Lazy<>(() -> LocalPostgres.start(folder.get(), options));
    redis = new Lazy<>(() -> LocalRedis.start(folder.get(), options));
    kafka = new Lazy<>(() -> LocalKafka.start(folder.get(), options));
  }

  @Override
  public LocalPostgres postgres() {
    return postgres.get();
  }

  @Override
  public LocalRedis redis() {
    return redis.get();
  }

  @Override
  public LocalKafka kafka() {
    return kafka.get();
  }

  @Override
  public void close() {
    Closing.all(
        List.of(
            () -> kafka.close().ifPresent(KafkaBroker::close),
            () -> redis.close().ifPresent(RedisServer::close),
            () -> postgres.close().ifPresent(PostgresServer::close),
            () -> {
              Optional<DataFolder> opened = folder.close();
              opened.ifPresent(DataFolder::close);
            }));
  }
}
