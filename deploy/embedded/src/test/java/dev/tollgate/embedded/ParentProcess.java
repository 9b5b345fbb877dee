package dev.tollgate.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/**
 * Runs in a JVM of its own: starts the shared servers from a thread that ends, prints their process
 * ids and waits for its input to end.
 */
final class ParentProcess {
  private ParentProcess() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Thread starter = Thread.ofPlatform().start(() -> start(arguments.length > 0));
    starter.join();
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }

  private static void start(boolean kafkaToo) {
    LocalPostgres postgres = (LocalPostgres) SharedServices.postgres();
    LocalRedis redis = (LocalRedis) SharedServices.redis();
    print(postgres.pid().orElseThrow());
    print(redis.pid().orElseThrow());
    if (kafkaToo) {
      print(((LocalKafka) SharedServices.kafka()).pid().orElseThrow());
    }
    System.out.println("up");
  }

  private static void print(long pid) {
    System.out.printf(Locale.ROOT, "pid %d%n", pid);
  }
}
