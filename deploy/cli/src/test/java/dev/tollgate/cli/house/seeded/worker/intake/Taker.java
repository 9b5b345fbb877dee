package dev.tollgate.cli.house.seeded.worker.intake;

import dev.tollgate.cli.house.seeded.cli.Command;
import dev.tollgate.cli.house.seeded.schema.store.Store;
import dev.tollgate.cli.house.seeded.worker.provider.Adapter;
import io.micrometer.core.instrument.Counter;
import java.net.http.HttpClient;
import redis.clients.jedis.Protocol;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Submits, applies, speaks HTTP and Redis, knows an object store, makes a meter, depends upwards.
 */
public final class Taker {
  public void take() {}

  int everything(Adapter adapter, Store store, Command command, HttpClient client, Counter meter) {
    meter.increment();
    adapter.submit();
    store.apply();
    command.run();
    return S3Client.builder().hashCode() + client.hashCode() + Protocol.Command.GET.name().length();
  }
}
