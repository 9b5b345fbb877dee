package dev.tollgate.worker.gate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RedisGateContractIT extends GateContract {

  private final TestRedis redis = TestRedis.start();
  private final List<Gate> gates = new ArrayList<>();

  @BeforeEach
  void empty() {
    redis.admin().flushAll();
  }

  @AfterEach
  void closeGates() {
    gates.forEach(Gate::close);
    gates.clear();
  }

  @AfterAll
  void stop() {
    redis.close();
  }

  @Override
  Gate gate(String incarnation, String owner) {
    Gate gate =
        RedisGate.open(
            TestGates.patient(redis.uri()),
            incarnation,
            owner,
            new GateListener() {},
            System::nanoTime);
    gates.add(gate);
    return gate;
  }

  @Override
  void plant(String incarnation, GateKey key, byte @Nullable [] value) {
    byte[] entry = new GateCodec(incarnation, "nobody").storeKey(key);
    if (value == null) {
      redis.admin().del(entry);
    } else {
      redis.admin().set(entry, value);
    }
  }

  @Override
  void forgetAll() {
    redis.admin().flushAll();
  }
}
