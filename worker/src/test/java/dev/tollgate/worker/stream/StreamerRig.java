package dev.tollgate.worker.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.schema.store.Chunks.Wanted;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.PostgresChunks;
import dev.tollgate.schema.store.PostgresOperationStore;
import dev.tollgate.schema.store.TestDatabase;
import dev.tollgate.worker.output.Completion;
import dev.tollgate.worker.output.FolderStore;
import dev.tollgate.worker.output.OutputListener;
import dev.tollgate.worker.output.OutputPolicy;
import dev.tollgate.worker.output.Scratch;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.RawAnswer;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.provider.stream.StreamEvent;
import dev.tollgate.worker.provider.stream.StreamReader;
import dev.tollgate.worker.provider.stream.StreamResult;
import dev.tollgate.worker.provider.stream.Streams;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of streams from the first event to the stored output need: a real database. */
abstract class StreamerRig {
  static final Duration ANY = Duration.ofMillis(1);
  static final StreamPolicy POLICY = new StreamPolicy(Duration.ofMinutes(1), ANY, 3, ANY, ANY);
  static final AtomicInteger NUMBERS = new AtomicInteger();

  static Database database;
  static PostgresOperationStore store;
  static Chunks chunks;

  @TempDir Path folder;
  ChangeWriter writer;
  ChunkWriter chunkWriter;
  Streamer streamer;
  final List<Long> cursors = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void connect() {
    database = new Database(TestDatabase.migrated(StreamerRig.class), "streamer", 4, null);
    store = new PostgresOperationStore(database.dsl());
    chunks = new PostgresChunks(database.dsl());
  }

  @AfterAll
  static void disconnect() {
    database.close();
  }

  @BeforeEach
  void open() {
    writer = new ChangeWriter("test", store, new WriteListener() {}, 100, ANY, System::nanoTime);
    writer.start();
    chunkWriter = new ChunkWriter(chunks, ANY, new StreamListener() {}, System::nanoTime);
    chunkWriter.start();
    streamer = streamer();
  }

  Streamer streamer() {
    Completion completion =
        new Completion(
            new FolderStore(folder),
            new Scratch(folder),
            store,
            change -> writer.write(change, () -> {}),
            new OutputPolicy(1 << 20, ANY, ANY, 3, ANY, ANY),
            new OutputListener() {});
    return new Streamer(chunks, chunkWriter, writer, completion, POLICY, new StreamListener() {});
  }

  @AfterEach
  void close() {
    chunkWriter.close();
    writer.close();
  }

  /** What a provider does when it is asked: the create first, then each resumption. */
  interface Part extends Function<StreamReader, StreamResult> {}

  ScriptedAdapter provider(boolean resumable, Part... parts) {
    List<Part> script = new ArrayList<>(List.of(parts));
    Streams streams =
        new Streams() {
          @Override
          public StreamResult open(Submission submission, StreamReader reader) {
            SubmitResult accepted =
                new SubmitResult(
                    new Verdict.Accepted("task-of-" + submission.key(), ""),
                    RawAnswer.none(true, ""));
            return reader.accepted(accepted)
                ? script.removeFirst().apply(reader)
                : new StreamResult.Stopped();
          }

          @Override
          public boolean consecutive() {
            return true;
          }

          @Override
          public boolean resumable() {
            return resumable;
          }

          @Override
          public StreamResult resume(String remoteId, OptionalLong cursor, StreamReader reader) {
            cursors.add(cursor.orElse(-1));
            return script.removeFirst().apply(reader);
          }
        };
    return ScriptedAdapter.of(Fixture.PROVIDER, Recourse.NONE, 4).streaming(streams);
  }

  static StreamEvent event(int n) {
    return event(n, "{\"n\":" + n + "}", Optional.empty());
  }

  static StreamEvent event(int n, String data, Optional<End> end) {
    return new StreamEvent(
        OptionalLong.of(100 + n),
        Optional.of(Bytes.utf8("\"<" + n + ">\"")),
        Bytes.utf8(data),
        end);
  }

  static StreamEvent last(int n) {
    return event(n, "\"[DONE]\"", Optional.of(End.SUCCEEDED));
  }

  static Part sends(StreamResult result, StreamEvent... events) {
    return reader -> {
      for (StreamEvent event : events) {
        if (!reader.event(event)) {
          return new StreamResult.Stopped();
        }
      }
      return result;
    };
  }

  static Part cut(StreamEvent... events) {
    return sends(new StreamResult.Cut("the peer closed"), events);
  }

  static Part ends(StreamEvent... events) {
    return sends(new StreamResult.Ended("stop"), events);
  }

  static StreamEvent[] events(int from, int to) {
    return IntStream.range(from, to).mapToObj(StreamerRig::event).toArray(StreamEvent[]::new);
  }

  static StreamEvent[] endingAt(int from, int to) {
    return Stream.concat(Stream.of(events(from, to - 1)), Stream.of(last(to - 1)))
        .toArray(StreamEvent[]::new);
  }

  Claim sending() {
    var claim = Fixture.claimId();
    store.insert(
        List.of(Fixture.sendNow(NUMBERS.incrementAndGet())),
        claim,
        Fixture.OWNER,
        Fixture.ALL_TERMS);
    return store.claimed(Fixture.PROVIDER, claim).getFirst();
  }

  static Follow follow(Claim claim, String remoteId) {
    return new Follow(
        claim.key(),
        Fixture.PROVIDER,
        claim.fence(),
        claim.claim(),
        remoteId,
        claim.seq(),
        Fixture.SENDS_TO);
  }

  Claim create(ScriptedAdapter provider) {
    Claim claim = sending();
    create(provider, claim);
    return claim;
  }

  Optional<SubmitResult> create(ScriptedAdapter provider, Claim claim) {
    return streamer.create(
        provider,
        new Submission(claim.key().toString(), new byte[0], "tg-1", 0, 0),
        accepted -> Fixture.accepted(claim, ((Verdict.Accepted) accepted.verdict()).remoteId()),
        remoteId -> follow(claim, remoteId));
  }

  Standing await(Claim claim, OperationState state) {
    eventually().until(() -> standing(claim.key()).state.equals(state.word()));
    return standing(claim.key());
  }

  record Standing(String state, String review, List<Chunk> chunks) {}

  static Standing standing(OperationKey key) {
    Chunks.Page page =
        chunks
            .pages(List.of(new Wanted(key, chunks.place(key).orElseThrow(), 0)), 10_000)
            .getFirst();
    String review = page.review();
    return new Standing(page.state(), review == null ? "" : review, page.chunks());
  }

  static List<Integer> offsets(Standing standing) {
    return standing.chunks.stream().map(Chunk::offset).toList();
  }

  static List<Integer> upTo(int n) {
    return IntStream.range(0, n).boxed().toList();
  }

  String output(OperationKey key) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> found =
          files
              .filter(Files::isRegularFile)
              .filter(file -> file.toString().contains(key.hash().toString()))
              .toList();
      assertThat(found).as("one object").hasSize(1);
      return Files.readString(found.getFirst(), StandardCharsets.UTF_8);
    }
  }

  static ConditionFactory eventually() {
    return Awaitility.await();
  }

  static StreamEvent text(String json) {
    return new StreamEvent(
        OptionalLong.empty(), Optional.of(Bytes.utf8(json)), Bytes.utf8("{}"), Optional.empty());
  }
}
