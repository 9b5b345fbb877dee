package dev.tollgate.worker.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * A gate for tests, over a store in memory that several gates may share as workers share a Redis.
 * It keeps to the same contract as {@link RedisGate}; what ends a claim's time to live is the test.
 * Thread-safe.
 */
public final class InMemoryGate implements Gate {

  /** What stands in for Redis. */
  public static final class Store {
    private final ConcurrentMap<String, byte[]> entries = new ConcurrentHashMap<>();
    private volatile boolean away;

    /** While away, every answer is UNAVAILABLE and nothing is stored or deleted. */
    public void away(boolean isAway) {
      away = isAway;
    }

    /** Loses every entry, as FLUSHALL or an eviction would. */
    public void forgetAll() {
      entries.clear();
    }
  }

  private final Store store;
  private final GateCodec codec;
  private volatile boolean closed;

  /**
   * @param incarnation as in {@link RedisGate#open}
   * @param owner as in {@link RedisGate#open}
   */
  public InMemoryGate(Store store, String incarnation, String owner) {
    this.store = store;
    this.codec = new GateCodec(incarnation, owner);
  }

  @Override
  public List<GateAnswer> ask(List<GateKey> keys) {
    if (isAway()) {
      return unavailable(keys);
    }
    return keys.stream()
        .map(
            key -> {
              byte[] there = store.entries.putIfAbsent(name(key), codec.claim());
              return there == null ? GateAnswer.ACQUIRED : read(there, key);
            })
        .toList();
  }

  @Override
  public List<GateAnswer> look(List<GateKey> keys) {
    if (isAway()) {
      return unavailable(keys);
    }
    return keys.stream().map(key -> read(store.entries.get(name(key)), key)).toList();
  }

  @Override
  public void consumed(List<GateKey> keys) {
    if (!isAway()) {
      keys.forEach(key -> store.entries.put(name(key), codec.consumed(key)));
    }
  }

  @Override
  public void release(List<GateKey> keys) {
    if (!isAway()) {
      keys.forEach(
          key ->
              store.entries.computeIfPresent(
                  name(key), (_, value) -> Arrays.equals(value, codec.claim()) ? null : value));
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Puts any value in the place of a key's entry, or takes the entry away. */
  void plant(GateKey key, byte @Nullable [] value) {
    if (value == null) {
      store.entries.remove(name(key));
    } else {
      store.entries.put(name(key), value);
    }
  }

  private boolean isAway() {
    return closed || store.away;
  }

  private String name(GateKey key) {
    return new String(codec.storeKey(key), ISO_8859_1);
  }

  private GateAnswer read(byte @Nullable [] value, GateKey key) {
    return value == null
        ? GateAnswer.UNAVAILABLE
        : codec.read(Arrays.copyOf(value, Math.min(value.length, GateCodec.READ_BYTES)), key);
  }

  private static List<GateAnswer> unavailable(List<GateKey> keys) {
    return Collections.nCopies(keys.size(), GateAnswer.UNAVAILABLE);
  }
}
