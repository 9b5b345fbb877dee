package dev.tollgate.worker.gate;

import static dev.tollgate.worker.gate.GateKeys.key;

import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * A Redis, a proxy before it, and gates to ask. The breaker's clock stands still unless a test
 * moves it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RedisGateFixture {

  final TestRedis redis = TestRedis.start();
  private final List<AutoCloseable> open = new ArrayList<>();
  final AtomicLong nanos = new AtomicLong();
  private SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private GateListener metrics = new Meters(meters).gate();
  RespProxy proxy = new RespProxy(redis.port());

  @BeforeEach
  void fresh() {
    memory("0", "noeviction");
    redis.admin().flushAll();
    meters = new SimpleMeterRegistry();
    metrics = new Meters(meters).gate();
    proxy = new RespProxy(redis.port());
    open.add(proxy);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
    open.clear();
  }

  @AfterAll
  void stop() {
    redis.close();
  }

  RedisGate gate(GateConfig config, String owner) {
    RedisGate gate = RedisGate.open(config, "7301:1", owner, metrics, nanos::get);
    open.add(gate);
    return gate;
  }

  RedisGate throughProxy(String owner) {
    return gate(TestGates.patient(proxy.uri()), owner);
  }

  RedisGate direct(String owner) {
    return gate(TestGates.patient(redis.uri()), owner);
  }

  static byte[] entry(GateKey key) {
    return new GateCodec("7301:1", "nobody").storeKey(key);
  }

  void memory(String max, String policy) {
    redis.admin().configSet("maxmemory-policy", policy);
    redis.admin().configSet("maxmemory", max);
  }

  void pauseEnds() {
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
  }

  double errors() {
    return meters.get(Meter.GATE_ERRORS.meterName()).counter().count();
  }

  double answered(GateAnswer answer) {
    return meters.get(Meter.GATE_ANSWERS.meterName()).tag("answer", answer.tag()).counter().count();
  }

  boolean breakerOpen() {
    return meters.get(Meter.GATE_OPEN.meterName()).gauge().value() == 1;
  }
}
