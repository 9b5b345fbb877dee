package dev.tollgate.worker.provider.signature;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A published set of Ed25519 keys (RFC 8037), fetched when it is needed and kept for a while. A
 * signature that none of them made fetches it again, since keys rotate, but no more often than once
 * a minute: whoever sends forgeries does not make us a nuisance to the provider. Thread-safe; one
 * thread fetches, others wait for it.
 */
public final class KeySet {
  private static final Logger log = LoggerFactory.getLogger(KeySet.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration FETCH_EVERY = Duration.ofMinutes(1);
  private static final Duration FETCH_EVERY_IN_VAIN = Duration.ofSeconds(5);
  private static final int KEYS_MAX = 16;

  private final Supplier<Optional<byte[]>> fetch;
  private final Duration keptFor;
  private final LongSupplier nanoTime;
  private final ReentrantLock fetching = new ReentrantLock();
  private volatile State state = new State(List.of(), Long.MIN_VALUE, Long.MIN_VALUE);

  /**
   * @param fetchedAt of the last fetch that succeeded
   * @param triedAt of the last fetch
   */
  private record State(List<Ed25519> keys, long fetchedAt, long triedAt) {}

  enum Signed {
    YES,
    NO,
    /** There are no keys to check it with. */
    UNKNOWN
  }

  /**
   * @param fetch the set as JSON; empty if it cannot be had now
   * @param keptFor how long a set may be used
   */
  public KeySet(Supplier<Optional<byte[]>> fetch, Duration keptFor, LongSupplier nanoTime) {
    this.fetch = fetch;
    this.keptFor = keptFor;
    this.nanoTime = nanoTime;
  }

  Signed signed(byte[] signature, byte[] message) {
    State known = fresh(state) ? state : again(state);
    if (by(known, signature, message)) {
      return Signed.YES;
    }
    State newer = again(known);
    if (by(newer, signature, message)) {
      return Signed.YES;
    }
    return fresh(newer) ? Signed.NO : Signed.UNKNOWN;
  }

  private static boolean by(State state, byte[] signature, byte[] message) {
    return state.keys.stream().anyMatch(key -> key.signed(signature, message));
  }

  private boolean fresh(State state) {
    return state.fetchedAt != Long.MIN_VALUE
        && nanoTime.getAsLong() - state.fetchedAt < keptFor.toNanos();
  }

  /** The set as it is now, unless it was asked for a moment ago. */
  private State again(State before) {
    fetching.lock();
    try {
      long now = nanoTime.getAsLong();
      Duration every = fresh(state) ? FETCH_EVERY : FETCH_EVERY_IN_VAIN;
      boolean lately = state.triedAt != Long.MIN_VALUE && now - state.triedAt < every.toNanos();
      if (lately || state.triedAt != before.triedAt) {
        return usable();
      }
      Optional<List<Ed25519>> keys = fetch.get().flatMap(KeySet::read);
      state =
          keys.map(found -> new State(found, now, now))
              .orElse(new State(state.keys, state.fetchedAt, now));
      return usable();
    } finally {
      fetching.unlock();
    }
  }

  private State usable() {
    return fresh(state) ? state : new State(List.of(), Long.MIN_VALUE, state.triedAt);
  }

  private static Optional<List<Ed25519>> read(byte[] json) {
    try {
      List<Ed25519> keys = new ArrayList<>();
      for (JsonNode key : JSON.readTree(json).path("keys")) {
        boolean ours =
            key.path("kty").asString("").equals("OKP")
                && key.path("crv").asString("").equals("Ed25519");
        if (ours && keys.size() < KEYS_MAX) {
          keys.add(Ed25519.of(Base64.getUrlDecoder().decode(key.path("x").asString(""))));
        }
      }
      return keys.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(keys));
    } catch (JacksonException | IllegalArgumentException e) {
      log.warn("a key set of a provider cannot be read: {}", e.getClass().getSimpleName());
      return Optional.empty();
    }
  }
}
