package dev.tollgate.worker.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams from the first event to the stored output, on a real database. */
final class StreamerIT {
  private static final Duration ANY = Duration.ofMillis(1);
  private static final StreamPolicy POLICY = new StreamPolicy(Duration.ofMinutes(1), 3, ANY, ANY);
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private static Database database;
  private static PostgresOperationStore store;
  private static Chunks chunks;

  @TempDir Path folder;
  private ChangeWriter writer;
  private ChunkWriter chunkWriter;
  private Streamer streamer;
  private final List<Long> cursors = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void connect() {
    database = new Database(TestDatabase.migrated(StreamerIT.class), "streamer", 4, null);
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

  private Streamer streamer() {
    Completion completion =
        new Completion(
            new FolderStore(folder),
            new Scratch(folder),
            store,
            change -> writer.write(change, () -> {}),
            new OutputPolicy(1 << 20, ANY, ANY, 3, ANY),
            new OutputListener() {});
    return new Streamer(chunks, chunkWriter, writer, completion, POLICY, new StreamListener() {});
  }

  @AfterEach
  void close() {
    chunkWriter.close();
    writer.close();
  }

  /** What a provider does when it is asked: the create first, then each resumption. */
  private interface Part extends Function<StreamReader, StreamResult> {}

  private ScriptedAdapter provider(boolean resumable, Part... parts) {
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

  private static StreamEvent event(int n) {
    return event(n, "{\"n\":" + n + "}", Optional.empty());
  }

  private static StreamEvent event(int n, String data, Optional<End> end) {
    return new StreamEvent(
        OptionalLong.of(100 + n),
        Optional.of(Bytes.utf8("\"<" + n + ">\"")),
        Bytes.utf8(data),
        end);
  }

  private static StreamEvent last(int n) {
    return event(n, "\"[DONE]\"", Optional.of(End.SUCCEEDED));
  }

  private static Part sends(StreamResult result, StreamEvent... events) {
    return reader -> {
      for (StreamEvent event : events) {
        if (!reader.event(event)) {
          return new StreamResult.Stopped();
        }
      }
      return result;
    };
  }

  private static Part cut(StreamEvent... events) {
    return sends(new StreamResult.Cut("the peer closed"), events);
  }

  private static Part ends(StreamEvent... events) {
    return sends(new StreamResult.Ended("stop"), events);
  }

  private static StreamEvent[] events(int from, int to) {
    return IntStream.range(from, to).mapToObj(StreamerIT::event).toArray(StreamEvent[]::new);
  }

  private static StreamEvent[] endingAt(int from, int to) {
    return Stream.concat(Stream.of(events(from, to - 1)), Stream.of(last(to - 1)))
        .toArray(StreamEvent[]::new);
  }

  private Claim sending() {
    var claim = Fixture.claimId();
    store.insert(
        List.of(Fixture.sendNow(NUMBERS.incrementAndGet())),
        claim,
        Fixture.OWNER,
        Fixture.ALL_TERMS);
    return store.claimed(Fixture.PROVIDER, claim).getFirst();
  }

  private static Follow follow(Claim claim, String remoteId) {
    return new Follow(
        claim.key(),
        Fixture.PROVIDER,
        claim.fence(),
        claim.claim(),
        remoteId,
        claim.seq(),
        Fixture.SENDS_TO);
  }

  private Claim create(ScriptedAdapter provider) {
    Claim claim = sending();
    create(provider, claim);
    return claim;
  }

  private Optional<SubmitResult> create(ScriptedAdapter provider, Claim claim) {
    return streamer.create(
        provider,
        new Submission(claim.key().toString(), new byte[0], "tg-1", 0, 0),
        accepted -> Fixture.accepted(claim, ((Verdict.Accepted) accepted.verdict()).remoteId()),
        remoteId -> follow(claim, remoteId));
  }

  private Standing await(Claim claim, OperationState state) {
    eventually().until(() -> standing(claim.key()).state.equals(state.word()));
    return standing(claim.key());
  }

  private record Standing(String state, String review, List<Chunk> chunks) {}

  private static Standing standing(OperationKey key) {
    Chunks.Page page =
        chunks
            .pages(List.of(new Wanted(key, chunks.place(key).orElseThrow(), 0)), 10_000)
            .getFirst();
    String review = page.review();
    return new Standing(page.state(), review == null ? "" : review, page.chunks());
  }

  private static List<Integer> offsets(Standing standing) {
    return standing.chunks.stream().map(Chunk::offset).toList();
  }

  private static List<Integer> upTo(int n) {
    return IntStream.range(0, n).boxed().toList();
  }

  private String output(OperationKey key) throws IOException {
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

  @Test
  void stream_toItsEnd_isCompleteWithItsText() throws IOException {
    Claim claim = create(provider(false, ends(endingAt(0, 1200))));
    Standing standing = await(claim, OperationState.COMPLETE);
    assertThat(offsets(standing)).isEqualTo(upTo(1200));
    assertThat(output(claim.key())).startsWith("<0><1><2>").endsWith("<1199>");
    assertThat(streamer.live()).isZero();
  }

  @Test
  void fc76_cutWithoutAWayToResume_staysAcceptedForAPerson_chunksAreKept() {
    Claim claim = create(provider(false, cut(events(0, 3))));
    eventually().until(() -> !standing(claim.key()).review.isEmpty());
    Standing standing = standing(claim.key());
    assertThat(standing.state).isEqualTo("accepted");
    assertThat(standing.review).isEqualTo(Code.STREAM_CUT.name());
    assertThat(offsets(standing)).isEqualTo(upTo(3));
  }

  @Test
  void fc79_resumeThatBreaksOffAtOnce_asksFromTheStoredCursorEachTime() throws IOException {
    Claim claim =
        create(
            provider(
                true,
                cut(events(0, 10)),
                cut(),
                cut(),
                cut(events(10, 12)),
                ends(endingAt(12, 15))));
    Standing standing = await(claim, OperationState.COMPLETE);
    assertThat(cursors).containsExactly(109L, 109L, 109L, 111L);
    assertThat(offsets(standing)).isEqualTo(upTo(15));
    assertThat(output(claim.key())).endsWith("<13><14>");
  }

  @Test
  void resumedFromTheStart_orWithOverlap_dropsWhatIsStored() {
    Claim claim =
        create(provider(true, cut(events(0, 6)), cut(events(3, 8)), ends(endingAt(0, 12))));
    assertThat(offsets(await(claim, OperationState.COMPLETE))).isEqualTo(upTo(12));
  }

  @Test
  void resumedWithOtherBytes_isForAPerson_andNothingIsRewritten() {
    Claim claim =
        create(
            provider(
                true,
                cut(events(0, 6)),
                ends(event(4), event(5, "{\"n\":6}", Optional.empty()), last(6))));
    eventually().until(() -> !standing(claim.key()).review.isEmpty());
    Standing standing = standing(claim.key());
    assertThat(standing.review).isEqualTo(Code.STREAM_CONFLICT.name());
    assertThat(offsets(standing)).isEqualTo(upTo(6));
  }

  @Test
  void lastWordTwice_countsOnce() {
    Claim claim = create(provider(true, cut(endingAt(0, 5)), ends(last(4), last(5))));
    assertThat(offsets(await(claim, OperationState.COMPLETE))).isEqualTo(upTo(5));
    assertThat(cursors).as("what has ended is not asked for again").isEmpty();
  }

  @Test
  void providersFailure_failsIt_chunksAreKept() {
    Claim claim =
        create(provider(true, ends(event(0), event(1, "{\"x\":1}", Optional.of(End.FAILED)))));
    assertThat(offsets(await(claim, OperationState.FAILED))).isEqualTo(upTo(2));
  }

  @Test
  void taskThatIsGone_isAskedForFurtherApart() {
    Claim claim = create(provider(true, cut(events(0, 2)), sends(new StreamResult.Missing())));
    eventually()
        .until(
            () ->
                database
                        .dsl()
                        .fetchCount(
                            DSL.table("evidence"),
                            DSL.condition(
                                "op_key = ? AND code = 'TASK_MISSING'", claim.key().bytes()))
                    == 1);
    assertThat(standing(claim.key()).state).isEqualTo("accepted");
  }

  private static ConditionFactory eventually() {
    return Awaitility.await();
  }

  @Test
  void createThatIsNotTaken_writesNothing() {
    Claim claim = sending();
    SubmitResult refused =
        new SubmitResult(new Verdict.Unknown("no answer"), RawAnswer.none(true, ""));
    ScriptedAdapter provider =
        ScriptedAdapter.of(Fixture.PROVIDER, Recourse.NONE, 4)
            .streaming(
                new Streams() {
                  @Override
                  public StreamResult open(Submission submission, StreamReader reader) {
                    return new StreamResult.NotAccepted(refused);
                  }

                  @Override
                  public boolean resumable() {
                    return false;
                  }

                  @Override
                  public StreamResult resume(
                      String remoteId, OptionalLong cursor, StreamReader reader) {
                    throw new AssertionError("nothing to resume");
                  }
                });
    assertThat(create(provider, claim)).contains(refused);
    assertThat(standing(claim.key()).state).isEqualTo("sending");
  }

  @Test
  void claimThatIsNoLongerTheNewest_storesNoChunk() {
    Claim claim = sending();
    store.apply(List.of(Fixture.unknown(claim)));
    assertThat(create(provider(false, ends(endingAt(0, 5))), claim)).isEmpty();
    Standing standing = standing(claim.key());
    assertThat(standing.state).isEqualTo("unknown");
    assertThat(standing.chunks).isEmpty();
  }

  @Test
  void readerThatDied_anotherTakesItUpWhereItStood() throws IOException {
    Claim claim = sending();
    Change accepted = Fixture.accepted(claim, "task-x");
    store.apply(List.of(accepted));
    Follow follow = follow(claim, "task-x");
    chunks.append(
        Map.of(
            new Chunks.Stream(claim.key(), claim.seq(), "task-x"),
            IntStream.range(0, 4)
                .mapToObj(
                    n ->
                        new Chunk(
                            n,
                            100L + n,
                            Fixture.utf8("\"<" + n + ">\""),
                            Fixture.utf8("{\"n\":" + n + "}"),
                            null))
                .toList()));
    streamer.takeUp(provider(true, ends(endingAt(4, 7))), List.of(follow), Runnable::run);
    assertThat(offsets(await(claim, OperationState.COMPLETE))).isEqualTo(upTo(7));
    assertThat(cursors).containsExactly(103L);
    assertThat(output(claim.key())).isEqualTo("<0><1><2><3><4><5><6>");
  }

  @Test
  void readerThatDiedBehindTheLastWord_anotherFinishesFromTheDatabaseAlone() throws IOException {
    Claim claim = sending();
    store.apply(List.of(Fixture.accepted(claim, "task-y")));
    chunks.append(
        Map.of(
            new Chunks.Stream(claim.key(), claim.seq(), "task-y"),
            List.of(
                new Chunk(0, null, Fixture.utf8("\"whole\""), Fixture.utf8("{}"), End.SUCCEEDED))));
    Follow follow = follow(claim, "task-y");
    streamer.takeUp(provider(false), List.of(follow), Runnable::run);
    streamer().takeUp(provider(false), List.of(follow), Runnable::run);
    await(claim, OperationState.COMPLETE);
    assertThat(output(claim.key())).isEqualTo("whole");
  }

  @Test
  void twoWhoReadTheSameStream_storeItOnce() throws IOException {
    Claim claim = sending();
    store.apply(List.of(Fixture.accepted(claim, "task-z")));
    Follow follow = follow(claim, "task-z");
    List<Thread> readers = new ArrayList<>();
    for (Streamer one : List.of(streamer, streamer())) {
      one.takeUp(
          provider(true, ends(endingAt(0, 2000))),
          List.of(follow),
          reading -> readers.add(Thread.ofVirtual().unstarted(reading)));
    }
    readers.forEach(Thread::start);
    assertThat(offsets(await(claim, OperationState.COMPLETE))).isEqualTo(upTo(2000));
    assertThat(output(claim.key())).endsWith("<1999>");
  }

  @Test
  void halfASurrogatePairAlone_makesTheOutputTheEvents() throws IOException {
    Claim claim =
        create(
            provider(
                false,
                ends(
                    new StreamEvent(
                        OptionalLong.empty(),
                        Optional.of(Bytes.utf8("\"\\ud83d\"")),
                        Bytes.utf8("{\"d\":\"\\ud83d\",\n \"u\":\"\\u0000\"}"),
                        Optional.empty()),
                    last(1))));
    await(claim, OperationState.COMPLETE);
    assertThat(output(claim.key()))
        .isEqualTo("{\"d\":\"\\ud83d\",  \"u\":\"\\u0000\"}\n\"[DONE]\"\n");
  }

  @Test
  void halvesOfAPairInTwoChunks_areOneCharacterOfTheOutput() throws IOException {
    Claim claim =
        create(
            provider(
                false,
                ends(
                    text("\"a\\ud83d\""),
                    text("\"\\ude00b\""),
                    new StreamEvent(
                        OptionalLong.empty(),
                        Optional.empty(),
                        Bytes.utf8("\"[DONE]\""),
                        Optional.of(End.SUCCEEDED)))));
    await(claim, OperationState.COMPLETE);
    assertThat(output(claim.key())).isEqualTo("a\ud83d\ude00b");
  }

  private static StreamEvent text(String json) {
    return new StreamEvent(
        OptionalLong.empty(), Optional.of(Bytes.utf8(json)), Bytes.utf8("{}"), Optional.empty());
  }

  @Test
  void stop_leavesWhatCanBeResumedToOthers() {
    Claim claim =
        create(
            provider(
                true,
                reader -> {
                  reader.event(event(0));
                  streamer.stop();
                  boolean more = reader.event(event(1));
                  return more ? new StreamResult.Ended("") : new StreamResult.Stopped();
                }));
    Standing standing = standing(claim.key());
    assertThat(standing.state).isEqualTo("accepted");
    assertThat(standing.review).isEmpty();
    assertThat(offsets(standing)).isEqualTo(upTo(2));
    assertThat(store.follow(Fixture.PROVIDER, 100, ANY, ANY))
        .as("due at once for others")
        .extracting(Follow::key)
        .contains(claim.key());
  }
}
