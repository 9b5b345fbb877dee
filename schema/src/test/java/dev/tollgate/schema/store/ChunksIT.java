package dev.tollgate.schema.store;

import static dev.tollgate.schema.store.Fixture.ALL_TERMS;
import static dev.tollgate.schema.store.Fixture.OWNER;
import static dev.tollgate.schema.store.Fixture.PROVIDER;
import static dev.tollgate.schema.store.Fixture.claimId;
import static dev.tollgate.schema.store.Fixture.key;
import static dev.tollgate.schema.store.Fixture.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.store.Chunks.Appended;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.schema.store.Chunks.Page;
import dev.tollgate.schema.store.Chunks.Standing;
import dev.tollgate.schema.store.Chunks.Stream;
import dev.tollgate.schema.store.Chunks.Unpublished;
import dev.tollgate.schema.store.Chunks.Wanted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams: gapless, one byte string at an offset, one end, published until acknowledged. */
final class ChunksIT {
  private static PostgresHarness harness;
  private static Chunks chunks;

  @BeforeAll
  static void open() {
    harness = new PostgresHarness(TestDatabase.migrated(ChunksIT.class));
    chunks = new PostgresChunks(harness.sql());
  }

  @BeforeEach
  void reset() {
    harness.reset();
  }

  @AfterAll
  static void close() {
    harness.close();
  }

  private static Claim sending(int n) {
    UUID claim = claimId();
    harness.store().insert(List.of(Fixture.sendNow(n)), claim, OWNER, ALL_TERMS);
    return harness.store().claimed(PROVIDER, claim).getFirst();
  }

  private static Stream accepted(int n) {
    Claim claim = sending(n);
    harness.store().apply(List.of(Fixture.accepted(claim, "task-" + n)));
    return new Stream(key(n), claim.seq(), "task-" + n);
  }

  private static Chunk chunk(int offset) {
    return chunk(offset, "{\"n\":" + offset + "}", null);
  }

  private static Chunk chunk(int offset, String data, @Nullable End ends) {
    return new Chunk(offset, 100L + offset, utf8("\"" + offset + "\""), utf8(data), ends);
  }

  private static List<Chunk> chunks(int from, int to) {
    return IntStream.range(from, to).mapToObj(ChunksIT::chunk).toList();
  }

  private static Appended append(Stream stream, List<Chunk> some) {
    return Objects.requireNonNull(chunks.append(Map.of(stream, some)).get(stream.key()));
  }

  private static Standing standing(Stream stream) {
    return apartFromTime(
        Objects.requireNonNull(chunks.standings(List.of(stream)).get(stream.key())));
  }

  private static Standing apartFromTime(Standing standing) {
    return new Standing(standing.next(), standing.cursor(), standing.end(), Duration.ZERO);
  }

  private static Page page(Stream stream, int from, int most) {
    return chunks.pages(List.of(new Wanted(stream.key(), stream.seq(), from)), most).getFirst();
  }

  private static List<Integer> offsets(Page page) {
    return page.chunks().stream().map(Chunk::offset).toList();
  }

  @Test
  void append_inPieces_isGaplessAndStandsAtItsEnd() {
    Stream stream = accepted(1);
    assertThat(standing(stream)).isEqualTo(Standing.NONE);
    assertThat(append(stream, chunks(0, 3))).isEqualTo(Appended.STORED);
    assertThat(append(stream, chunks(3, 5))).isEqualTo(Appended.STORED);
    assertThat(standing(stream)).isEqualTo(new Standing(5, 104L, Optional.empty(), Duration.ZERO));
    assertThat(append(stream, List.of(chunk(5, "\"[DONE]\"", End.SUCCEEDED))))
        .isEqualTo(Appended.STORED);
    assertThat(standing(stream))
        .isEqualTo(new Standing(6, 105L, Optional.of(End.SUCCEEDED), Duration.ZERO));
    assertThat(offsets(page(stream, 0, 100))).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void append_ofManyStreamsAtOnce_tellsEachApart() {
    Stream first = accepted(1);
    Stream second = accepted(2);
    append(second, chunks(0, 2));
    Stream gone = new Stream(key(3), sending(3).seq(), "task-3");
    assertThat(
            chunks.append(
                Map.of(
                    first, chunks(0, 4),
                    second, chunks(5, 6),
                    gone, chunks(0, 1))))
        .isEqualTo(
            Map.of(
                first.key(), Appended.STORED,
                second.key(), Appended.GAP,
                gone.key(), Appended.STALE));
    assertThat(standing(second).next()).isEqualTo(2);
    assertThat(standing(gone)).isEqualTo(Standing.NONE);
  }

  @Test
  void append_again_withOverlap_keepsWhatIsThere() {
    Stream stream = accepted(1);
    append(stream, chunks(0, 4));
    assertThat(append(stream, chunks(0, 4))).isEqualTo(Appended.STORED);
    assertThat(append(stream, chunks(2, 7))).isEqualTo(Appended.STORED);
    assertThat(offsets(page(stream, 0, 100))).containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(chunks.outbox(100)).extracting(u -> u.chunk().offset()).hasSize(7);
  }

  @Test
  void append_otherBytesAtAnOffset_isAConflictAndStoresNothing() {
    Stream stream = accepted(1);
    append(stream, chunks(0, 2));
    assertThat(append(stream, List.of(chunk(1, "{\"n\":9}", null), chunk(2))))
        .isEqualTo(Appended.CONFLICT);
    assertThat(standing(stream).next()).isEqualTo(2);
    assertThat(page(stream, 1, 1).chunks().getFirst().data()).isEqualTo(utf8("{\"n\":1}"));
  }

  @Test
  void append_beyondTheEnd_isNotStored() {
    Stream stream = accepted(1);
    append(stream, List.of(chunk(0), chunk(1, "\"[DONE]\"", End.SUCCEEDED)));
    assertThat(append(stream, chunks(2, 3))).isEqualTo(Appended.OVER);
    assertThat(append(stream, List.of(chunk(1, "\"[DONE]\"", End.FAILED))))
        .isEqualTo(Appended.CONFLICT);
    assertThat(standing(stream).end()).contains(End.SUCCEEDED);
  }

  @Test
  void append_ofAnotherTask_isStale() {
    Stream stream = accepted(1);
    Stream other = new Stream(stream.key(), stream.seq(), "task-of-another-attempt");
    assertThat(append(other, chunks(0, 1))).isEqualTo(Appended.STALE);
    assertThat(standing(stream)).isEqualTo(Standing.NONE);
  }

  @Test
  void append_byTwoAtOnce_storesEachOffsetOnceAndTellsWhoCameSecond() {
    for (int n = 1; n <= 20; n++) {
      Stream stream = accepted(n);
      var both =
          Together.run(() -> append(stream, chunks(0, 50)), () -> append(stream, chunks(0, 60)));
      List<Appended> said = new ArrayList<>(List.of(both.first(), both.second()));
      assertThat(said).isSubsetOf(Appended.STORED, Appended.AGAIN);
      assertThat(append(stream, chunks(0, 60))).isEqualTo(Appended.STORED);
      assertThat(offsets(page(stream, 0, 100))).isEqualTo(IntStream.range(0, 60).boxed().toList());
    }
    assertThat(chunks.outbox(10_000)).hasSize(20 * 60);
  }

  @Test
  void pages_ofLargeChunks_holdFewer() {
    Stream stream = accepted(1);
    String large = "\"" + "x".repeat(100_000) + "\"";
    append(stream, IntStream.range(0, 20).mapToObj(offset -> chunk(offset, large, null)).toList());
    assertThat(offsets(page(stream, 0, 100))).containsExactly(0, 1, 2);
    assertThat(offsets(page(stream, 18, 100))).containsExactly(18, 19);
    append(stream, List.of(chunk(20, "\"" + "x".repeat(1_000_000) + "\"", null)));
    assertThat(offsets(page(stream, 20, 100))).containsExactly(20);
  }

  @Test
  void chunks_areNeverChanged() {
    append(accepted(1), chunks(0, 1));
    assertThatThrownBy(() -> harness.sql().execute("UPDATE chunk SET data = ''"))
        .hasMessageContaining("append-only");
  }

  @Test
  void anyBytes_comeBackAsTheyWere() {
    Stream stream = accepted(1);
    byte[] text = utf8("\"\\u0000 \\ud800 \u00e9\"");
    byte[] data = utf8("{\"delta\":\"\\u0000 \\ud800 \u00e9 1.50e3\"}");
    append(stream, List.of(new Chunk(0, null, text, data, null)));
    Chunk read = page(stream, 0, 1).chunks().getFirst();
    assertThat(read.text()).isEqualTo(text);
    assertThat(read.data()).isEqualTo(data);
    assertThat(read.cursor()).isNull();
  }

  @Test
  void renew_keepsOthersFromAsking() {
    Stream stream = accepted(1);
    harness.letTimePass();
    chunks.renew(List.of(stream), Duration.ofHours(1));
    assertThat(harness.store().follow(PROVIDER, 10, Duration.ZERO, Duration.ZERO)).isEmpty();
    chunks.renew(List.of(stream), Duration.ZERO);
    assertThat(Objects.requireNonNull(harness.get(stream.key()).wake()).in())
        .as("a shorter one does not bring it forward")
        .isGreaterThan(Duration.ofMinutes(50));
    chunks.handOver(List.of(stream));
    assertThat(harness.store().follow(PROVIDER, 10, Duration.ZERO, Duration.ZERO)).hasSize(1);
  }

  @Test
  void pages_forManyReaders_eachFromItsOwnOffset() {
    Stream first = accepted(1);
    Stream second = accepted(2);
    append(first, chunks(0, 10));
    List<Page> pages =
        chunks.pages(
            List.of(
                new Wanted(first.key(), first.seq(), 8),
                new Wanted(first.key(), first.seq(), 2),
                new Wanted(second.key(), second.seq(), 0)),
            3);
    assertThat(pages)
        .extracting(ChunksIT::offsets)
        .containsExactly(List.of(8, 9), List.of(2, 3, 4), List.of());
    assertThat(pages).extracting(Page::state).containsOnly("accepted");
    assertThat(chunks.place(first.key())).contains(first.seq());
    assertThat(chunks.place(key(99))).isEmpty();
  }

  @Test
  void outbox_givesWholeRowsInOrderUntilPublished() {
    Stream first = accepted(1);
    Stream second = accepted(2);
    append(first, chunks(0, 3));
    append(second, chunks(0, 2));
    append(first, chunks(3, 5));
    List<Unpublished> some = chunks.outbox(4);
    assertThat(some).hasSize(5);
    assertThat(chunks.outbox(100)).hasSize(7);
    chunks.published(some.stream().map(Unpublished::id).distinct().toList());
    assertThat(chunks.outbox(100)).extracting(u -> u.chunk().offset()).containsExactly(3, 4);
    assertThat(chunks.outbox(100)).extracting(Unpublished::key).containsOnly(first.key());
  }

  @Test
  void outbox_ofLargeChunks_givesFewerAtOnce() {
    Stream stream = accepted(1);
    String large = "\"" + "x".repeat(1_000_000) + "\"";
    for (int n = 0; n < 20; n++) {
      append(stream, List.of(chunk(n, large, null)));
    }
    assertThat(chunks.outbox(100)).hasSize(17);
  }
}
