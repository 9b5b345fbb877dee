package dev.tollgate.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How to start the servers.
 *
 * @param data folder for everything the servers keep: {@code postgres}, {@code redis}, {@code
 *     kafka}, {@code logs}. Empty: a temporary folder, deleted on close. Containers keep their data
 *     inside and ignore this.
 * @param portBase Kafka listens on this port, its controller on the next, PostgreSQL on the one
 *     after, Redis on the fourth. Empty: free ports.
 * @param postgresSettings more or other server settings, by name; {@code fsync} and {@code
 *     synchronous_commit} may be named too, but are on by default
 * @param redisSettings more or other server settings, by name
 * @param kafkaSettings more or other broker settings, by name
 * @param kafkaHeapMb heap of the broker's Java process, in MiB
 * @param quickStart let the broker's Java compile fast rather than well: for tests, not for load
 * @param startTimeout how long each server may take to answer
 */
public record ServicesOptions(
    Optional<Path> data,
    OptionalInt portBase,
    Map<String, String> postgresSettings,
    Map<String, String> redisSettings,
    Map<String, String> kafkaSettings,
    int kafkaHeapMb,
    boolean quickStart,
    Duration startTimeout) {

  public ServicesOptions {
    postgresSettings = Map.copyOf(postgresSettings);
    redisSettings = Map.copyOf(redisSettings);
    kafkaSettings = Map.copyOf(kafkaSettings);
    if (portBase.isPresent() && (portBase.getAsInt() < 1 || portBase.getAsInt() > 65_532)) {
      throw new IllegalArgumentException("port base out of 1..65532: " + portBase.getAsInt());
    }
    if (kafkaHeapMb < 128) {
      throw new IllegalArgumentException("the broker needs 128 MiB of heap, got " + kafkaHeapMb);
    }
  }

  /** A temporary folder, free ports, made for tests. */
  public static ServicesOptions temporary() {
    return new ServicesOptions(
        Optional.empty(),
        OptionalInt.empty(),
        Map.of(),
        Map.of(),
        Map.of(),
        512,
        true,
        Duration.ofSeconds(90));
  }

  /** A folder that stays, and ports that are known beforehand. */
  public static ServicesOptions at(Path data, int portBase) {
    return new ServicesOptions(
        Optional.of(data),
        OptionalInt.of(portBase),
        Map.of(),
        Map.of(),
        Map.of(),
        512,
        false,
        Duration.ofSeconds(90));
  }

  /** The same with other settings for PostgreSQL. */
  public ServicesOptions withPostgresSettings(Map<String, String> settings) {
    return new ServicesOptions(
        data,
        portBase,
        settings,
        redisSettings,
        kafkaSettings,
        kafkaHeapMb,
        quickStart,
        startTimeout);
  }

  /** The same with other settings for Redis. */
  public ServicesOptions withRedisSettings(Map<String, String> settings) {
    return new ServicesOptions(
        data,
        portBase,
        postgresSettings,
        settings,
        kafkaSettings,
        kafkaHeapMb,
        quickStart,
        startTimeout);
  }

  /** The same with other settings for the broker. */
  public ServicesOptions withKafkaSettings(Map<String, String> settings) {
    return new ServicesOptions(
        data,
        portBase,
        postgresSettings,
        redisSettings,
        settings,
        kafkaHeapMb,
        quickStart,
        startTimeout);
  }

  /** The same with another limit for each start. */
  public ServicesOptions withStartTimeout(Duration timeout) {
    return new ServicesOptions(
        data,
        portBase,
        postgresSettings,
        redisSettings,
        kafkaSettings,
        kafkaHeapMb,
        quickStart,
        timeout);
  }

  /** Kafka's port, or free. */
  OptionalInt kafkaPort() {
    return portBase;
  }

  /** The controller's port, or free. */
  OptionalInt controllerPort() {
    return offset(1);
  }

  /** PostgreSQL's port, or free. */
  OptionalInt postgresPort() {
    return offset(2);
  }

  /** Redis's port, or free. */
  OptionalInt redisPort() {
    return offset(3);
  }

  private OptionalInt offset(int by) {
    return portBase.isPresent() ? OptionalInt.of(portBase.getAsInt() + by) : portBase;
  }
}
