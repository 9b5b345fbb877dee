package dev.tollgate.loadtest;

import dev.tollgate.embedded.KafkaBroker;
import dev.tollgate.embedded.PostgresServer;
import dev.tollgate.embedded.RedisServer;
import dev.tollgate.embedded.SharedServices;

/** The servers that a stage stands on. */
record Servers(PostgresServer postgres, KafkaBroker kafka, RedisServer redis) {
  /** Those of the JVM, which no test stops. */
  static Servers shared() {
    return new Servers(SharedServices.postgres(), SharedServices.kafka(), SharedServices.redis());
  }

  Servers with(PostgresServer own) {
    return new Servers(own, kafka, redis);
  }

  Servers with(KafkaBroker own) {
    return new Servers(postgres, own, redis);
  }

  Servers with(RedisServer own) {
    return new Servers(postgres, kafka, own);
  }
}
