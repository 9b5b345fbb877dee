package dev.tollgate.worker.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The gate over one Redis: pipelined, bounded in time, and skipped by a breaker while Redis is
 * away. Thread-safe.
 *
 * <p>No command is ever repeated by this class or below it. A claim whose answer was lost is
 * recognised at the next ask by its owner.
 */
public final class RedisGate implements Gate {

  private static final Logger log = LoggerFactory.getLogger(RedisGate.class);

  /** The first pause is about one batch long; the longest costs little once Redis is back. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private static final byte[] OK = bytes("OK");
  private static final byte[] NX = bytes("NX");
  private static final byte[] EX = bytes("EX");
  private static final byte[] ZERO = bytes("0");
  private static final byte[] ONE = bytes("1");
  private static final byte[] LAST_BYTE = bytes(Integer.toString(GateCodec.READ_BYTES - 1));

  private final RedisLink link;
  private final GateCodec codec;
  private final GateBreaker breaker;
  private final GateListener listener;
  private final LongSupplier nanoTime;
  private final long slowNanos;
  private final byte[] claimSeconds;
  private final byte[] consumedSeconds;
  private final ReleaseScript script = ReleaseScript.load();
  // written by whoever ends the process, read by intake
  private volatile boolean closed;

  private RedisGate(
      GateConfig config, GateCodec codec, GateListener listener, LongSupplier nanoTime) {
    this.link = new RedisLink(config, nanoTime);
    this.codec = codec;
    this.breaker = new GateBreaker(FIRST_PAUSE, LONGEST_PAUSE, nanoTime);
    this.listener = listener;
    this.nanoTime = nanoTime;
    // an answer that took most of the budget is used, but the next batch had better not wait for
    // the like
    this.slowNanos = config.budget().toNanos() * 4 / 5;
    this.claimSeconds = bytes(Long.toString(config.claimTtl().toSeconds()));
    this.consumedSeconds = bytes(Long.toString(config.consumedTtl().toSeconds()));
  }

  /**
   * A gate that connects when first asked: a Redis that is away does not keep a worker from
   * starting.
   *
   * @param incarnation names the database whose commits the marks stand for (system identifier and
   *     timeline); letters, digits and {@code :._-}, at most 64. Another incarnation sees none of
   *     its entries.
   * @param owner random for each process; letters, digits and {@code ._-}, at most 64
   * @param listener hears of answers and errors
   * @param nanoTime a monotonic clock, as {@link System#nanoTime()}
   */
  public static RedisGate open(
      GateConfig config,
      String incarnation,
      String owner,
      GateListener listener,
      LongSupplier nanoTime) {
    return new RedisGate(config, new GateCodec(incarnation, owner), listener, nanoTime);
  }

  @Override
  public List<GateAnswer> ask(List<GateKey> keys) {
    return answers(keys, session -> claim(session, keys));
  }

  @Override
  public List<GateAnswer> look(List<GateKey> keys) {
    return answers(
        keys,
        session -> {
          Replies replies = new Replies(keys.size());
          read(session, keys, allOf(keys), replies);
          return replies;
        });
  }

  @Override
  public void consumed(List<GateKey> keys) {
    guarded(keys, session -> mark(session, keys));
  }

  @Override
  public void release(List<GateKey> keys) {
    guarded(keys, session -> takeBack(session, keys));
  }

  @Override
  public void close() {
    closed = true;
    link.close();
  }

  private Replies claim(RedisLink.Session session, List<GateKey> keys) {
    for (GateKey key : keys) {
      session.send(Command.SET, codec.storeKey(key), codec.claim(), NX, EX, claimSeconds);
    }
    Replies replies = new Replies(keys.size());
    List<Integer> taken = new ArrayList<>();
    List<@Nullable Object> received = session.receive();
    for (int i = 0; i < received.size(); i++) {
      Object reply = received.get(i);
      if (reply == null) {
        taken.add(i);
      } else if (isOk(reply)) {
        replies.answer(i, GateAnswer.ACQUIRED);
      } else {
        replies.failure(reply);
      }
    }
    read(session, keys, taken, replies);
    return replies;
  }

  /**
   * Reads a bounded part of each entry: whatever was planted under a key, a batch's replies stay
   * small.
   */
  private void read(
      RedisLink.Session session, List<GateKey> keys, List<Integer> places, Replies replies) {
    for (int place : places) {
      session.send(Command.GETRANGE, codec.storeKey(keys.get(place)), ZERO, LAST_BYTE);
    }
    List<@Nullable Object> received = session.receive();
    for (int i = 0; i < received.size(); i++) {
      int place = places.get(i);
      switch (received.get(i)) {
        case byte[] value
            when value.length == 0 -> {} // gone since, or evicted: nothing wrong with Redis
        case byte[] value -> {
          GateAnswer answer = codec.read(value, keys.get(place));
          replies.answer(place, answer);
          if (answer == GateAnswer.UNAVAILABLE) {
            replies.flaw();
          }
        }
        case JedisDataException e when codeOf(e).equals("WRONGTYPE") -> replies.flaw();
        case null -> replies.failure("nil");
        case Object other -> replies.failure(other);
      }
    }
  }

  private Replies mark(RedisLink.Session session, List<GateKey> keys) {
    for (GateKey key : keys) {
      session.send(Command.SET, codec.storeKey(key), codec.consumed(key), EX, consumedSeconds);
    }
    Replies replies = new Replies(0);
    for (Object reply : session.receive()) {
      if (!isOk(reply)) {
        replies.failure(reply);
      }
    }
    return replies;
  }

  private Replies takeBack(RedisLink.Session session, List<GateKey> keys) {
    Replies replies = new Replies(0);
    List<GateKey> unknownScript = new ArrayList<>();
    byte[] sha1 = bytes(script.sha1());
    for (GateKey key : keys) {
      session.send(Command.EVALSHA, sha1, ONE, codec.storeKey(key), codec.claim());
    }
    List<@Nullable Object> received = session.receive();
    for (int i = 0; i < received.size(); i++) {
      switch (received.get(i)) {
        case Long _ -> {}
        case JedisDataException e when codeOf(e).equals("NOSCRIPT") ->
            unknownScript.add(keys.get(i));
        case null -> replies.failure("nil");
        case Object other -> replies.failure(other);
      }
    }
    byte[] text = bytes(script.text());
    for (GateKey key : unknownScript) {
      session.send(Command.EVAL, text, ONE, codec.storeKey(key), codec.claim());
    }
    for (Object reply : session.receive()) {
      if (!(reply instanceof Long)) {
        replies.failure(reply);
      }
    }
    return replies;
  }

  private List<GateAnswer> answers(List<GateKey> keys, Function<RedisLink.Session, Replies> work) {
    Replies replies = guarded(keys, work);
    List<GateAnswer> answers =
        replies == null
            ? Collections.nCopies(keys.size(), GateAnswer.UNAVAILABLE)
            : replies.answers();
    listener.answered(answers);
    return answers;
  }

  /**
   * Runs the work unless the breaker is open, and tells the breaker how it went. Null: Redis was
   * not asked or is away.
   */
  private @Nullable Replies guarded(List<GateKey> keys, Function<RedisLink.Session, Replies> work) {
    if (closed || keys.isEmpty()) {
      return null;
    }
    GateBreaker.Permit permit = breaker.enter();
    if (permit == null) {
      return null;
    }
    long start = nanoTime.getAsLong();
    try {
      Replies replies = link.call(work);
      listener.errors(replies.errors());
      String failure = replies.failure();
      if (failure == null && nanoTime.getAsLong() - start > slowNanos) {
        failure = "slow";
      }
      listener.called(replies.failure() == null, since(start));
      report(permit, failure);
      return replies;
    } catch (RedisAwayException e) {
      listener.errors(1);
      listener.called(false, since(start));
      report(permit, e.getMessage());
      return null;
    }
  }

  private Duration since(long start) {
    return Duration.ofNanos(nanoTime.getAsLong() - start);
  }

  /** Connections that carry a call now. */
  public int connectionsInUse() {
    return link.connectionsInUse();
  }

  private void report(GateBreaker.Permit permit, @Nullable String failure) {
    if (failure == null) {
      if (breaker.succeeded(permit)) {
        log.info("Redis answers again: the gate is back");
      }
    } else if (breaker.failed(permit)) {
      log.warn("Redis is skipped for a while, the database decides alone: {}", failure);
    }
    listener.open(breaker.state() != GateBreaker.State.CLOSED);
  }

  private static List<Integer> allOf(List<GateKey> keys) {
    List<Integer> places = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      places.add(i);
    }
    return places;
  }

  private static boolean isOk(@Nullable Object reply) {
    return reply instanceof byte[] status && Arrays.equals(status, OK);
  }

  /** The error's code, which is the first word of its line in the protocol. */
  private static String codeOf(JedisDataException e) {
    String line = String.valueOf(e.getMessage());
    int space = line.indexOf(' ');
    return space < 0 ? line : line.substring(0, space);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
