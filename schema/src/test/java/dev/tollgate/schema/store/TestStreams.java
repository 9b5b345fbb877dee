package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Chunks.Appended;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.schema.store.Chunks.Stream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A database with accepted operations whose streams a test writes. Thread-safe. */
public final class TestStreams implements AutoCloseable {
  /** As many as one statement of intake stores. */
  private static final int AT_ONCE = 500;

  private final DatabaseSettings settings;
  private final PostgresHarness harness;
  private final Chunks chunks;
  private final Map<OperationKey, Follow> follows = new ConcurrentHashMap<>();

  private TestStreams(DatabaseSettings settings) {
    this.settings = settings;
    this.harness = new PostgresHarness(settings);
    this.chunks = new PostgresChunks(harness.sql());
  }

  public static TestStreams open(Class<?> owner) {
    return on(TestDatabase.migrated(owner));
  }

  /** Streams in a database that is there already. */
  public static TestStreams on(DatabaseSettings settings) {
    return new TestStreams(settings);
  }

  public DatabaseSettings settings() {
    return settings;
  }

  public Chunks chunks() {
    return chunks;
  }

  public OperationStore store() {
    return harness.store();
  }

  /** The installation's secret. */
  public byte[] secret() {
    try (Database database = new Database(settings, "secret", 1, null)) {
      return database.submissionSecret();
    }
  }

  /** Operations {@code from} to {@code to} - 1, all accepted. */
  public List<Stream> accepted(int from, int to) {
    List<Stream> streams = new ArrayList<>();
    for (int first = from; first < to; first += AT_ONCE) {
      UUID claim = Fixture.claimId();
      List<NewIntent> intents =
          IntStream.range(first, Math.min(to, first + AT_ONCE)).mapToObj(Fixture::sendNow).toList();
      store().insert(intents, claim, Fixture.OWNER, Fixture.ALL_TERMS);
      List<Claim> claimed = store().claimed(Fixture.PROVIDER, claim);
      store().apply(claimed.stream().map(c -> Fixture.accepted(c, task(c.key()))).toList());
      for (Claim one : claimed) {
        streams.add(new Stream(one.key(), one.seq(), task(one.key())));
        follows.put(
            one.key(),
            new Follow(
                one.key(),
                Fixture.PROVIDER,
                one.fence(),
                one.claim(),
                task(one.key()),
                one.seq(),
                Fixture.SENDS_TO));
      }
    }
    return streams;
  }

  /** An accepted operation. */
  public Stream accepted(int n) {
    return accepted(n, n + 1).getFirst();
  }

  private static String task(OperationKey key) {
    return "task of " + key;
  }

  /** An operation of which nobody knows whether a task exists. */
  public OperationKey unknown(int n) {
    UUID claim = Fixture.claimId();
    store().insert(List.of(Fixture.sendNow(n)), claim, Fixture.OWNER, Fixture.ALL_TERMS);
    store().apply(List.of(Fixture.unknown(store().claimed(Fixture.PROVIDER, claim).getFirst())));
    return Fixture.key(n);
  }

  /** The operation is complete. */
  public void complete(Stream stream) {
    apply(Fixture.complete(follow(stream), Fixture.output(1)));
  }

  /** All of these are complete. */
  public void complete(List<Stream> all) {
    for (int from = 0; from < all.size(); from += AT_ONCE) {
      List<Change> changes = new ArrayList<>();
      for (int n = from; n < Math.min(all.size(), from + AT_ONCE); n++) {
        changes.add(Fixture.complete(follow(all.get(n)), Fixture.output(n)));
      }
      store().apply(changes);
    }
  }

  /** The operation failed. */
  public void fail(Stream stream, Code why) {
    change(stream, OperationState.FAILED, why, null);
  }

  /** The operation waits for a person. */
  public void review(Stream stream, Code why) {
    change(stream, OperationState.ACCEPTED, why, why);
  }

  private void change(Stream stream, OperationState to, Code why, @Nullable Code review) {
    apply(
        Change.ofFollow(
            follow(stream), to, why, review, null, Duration.ofHours(1), Fixture.evidence(why)));
  }

  private void apply(Change change) {
    store().apply(List.of(change));
  }

  private Follow follow(Stream stream) {
    return Objects.requireNonNull(follows.get(stream.key()));
  }

  /** Stores chunks that are not there yet. */
  public void append(Stream stream, List<Chunk> some) {
    Appended became = chunks.append(Map.of(stream, some)).get(stream.key());
    if (became != Appended.STORED) {
      throw new IllegalStateException("chunks of " + stream.key() + " are " + became);
    }
  }

  /** Chunks with these offsets, each with a text of its own. */
  public static List<Chunk> some(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(n -> chunk(n, "\"<" + n + ">\"", "{\"n\":" + n + "}", null))
        .toList();
  }

  /**
   * A chunk.
   *
   * @param text JSON
   * @param data JSON
   */
  public static Chunk chunk(int offset, @Nullable String text, String data, @Nullable End ends) {
    return new Chunk(
        offset, null, text == null ? null : Fixture.utf8(text), Fixture.utf8(data), ends);
  }

  @Override
  public void close() {
    harness.close();
  }
}
