package dev.tollgate.embedded;

import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** Whether a Redis serves. */
final class RedisPing {
  private static final int TIMEOUT_MILLIS = 2_000;

  private RedisPing() {}

  static boolean answers(String host, int port) {
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder().timeoutMillis(TIMEOUT_MILLIS).build();
    try (Jedis jedis = new Jedis(new HostAndPort(host, port), config)) {
      return jedis.ping().equals("PONG");
    } catch (JedisException _) {
      return false; // not up yet
    }
  }
}
