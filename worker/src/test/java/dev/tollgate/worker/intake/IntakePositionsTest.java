package dev.tollgate.worker.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.store.History;
import dev.tollgate.schema.store.IntakeProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where intake goes on, by what was committed beside the offset and what the database knows. */
final class IntakePositionsTest {
  private static final TopicPartition P = new TopicPartition("requests", 3);
  private static final UUID OLD = UUID.fromString("11111111-0000-4000-8000-000000000000");
  private static final UUID NEW = UUID.fromString("22222222-0000-4000-8000-000000000000");
  private static final Instant ACCOUNT = Instant.parse("2026-11-05T10:00:00Z");
  private static final Instant SINCE = ACCOUNT.minus(Duration.ofMinutes(10));
  private static final int AHEAD = 3;

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

  @AfterEach
  void close() {
    consumer.close();
  }

  private static History history(UUID id, boolean earlier) {
    return new History(id, "place " + id, ACCOUNT.plusSeconds(1), earlier, 0, true, "w1");
  }

  private IntakePositions placed(@Nullable OffsetAndMetadata committed, @Nullable Long account) {
    return placed(NEW, committed, account);
  }

  private IntakePositions placed(
      UUID history, @Nullable OffsetAndMetadata committed, @Nullable Long account) {
    consumer.assign(List.of()); // forgets where it was
    consumer.assign(List.of(P));
    consumer.updateBeginningOffsets(Map.of(P, 5L));
    consumer.updateEndOffsets(Map.of(P, 50L));
    if (committed != null) {
      consumer.commitSync(Map.of(P, committed));
    }
    Map<Integer, IntakeProgress> known =
        account == null ? Map.of() : Map.of(3, new IntakeProgress(account, ACCOUNT));
    IntakePositions positions =
        new IntakePositions(history(history, history.equals(NEW)), AHEAD, _ -> known);
    positions.assigned(List.of(P));
    assertThat(positions.unplaced()).containsExactly(P);
    positions.place(consumer);
    assertThat(positions.unplaced()).isEmpty();
    return positions;
  }

  private static OffsetAndMetadata committed(long offset, UUID history) {
    return new OffsetAndMetadata(offset, new OffsetMark(history, AHEAD, null).text());
  }

  private static ConsumerRecords<byte[], byte[]> records(long from, long to) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (long offset = from; offset < to; offset++) {
      records.add(
          new ConsumerRecord<>(
              P.topic(),
              P.partition(),
              offset,
              ACCOUNT.toEpochMilli(),
              TimestampType.CREATE_TIME,
              0,
              0,
              new byte[0],
              new byte[0],
              new RecordHeaders(),
              Optional.empty()));
    }
    return new ConsumerRecords<>(Map.of(P, records), Map.of(P, new OffsetAndMetadata(to)));
  }

  /** Offsets of a batch that may have been sent, with the moment that this is said of. */
  private static Map<Long, Instant> doubted(IntakePositions positions, long from, long to) {
    IntakePositions.Batch batch = positions.polled(records(from, to));
    Map<Long, Instant> doubted = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : batch.records()) {
      Instant since = batch.sentSince(record);
      if (since != null) {
        doubted.put(record.offset(), since);
      }
    }
    return doubted;
  }

  @Test
  void theSameHistory_goesOnWhereItLeftOff_andDoubtsNothing() {
    IntakePositions positions = placed(committed(20, NEW), 12L);
    assertThat(consumer.position(P)).isEqualTo(20);
    assertThat(doubted(positions, 20, 40)).isEmpty();
  }

  @Test
  void anotherHistory_isReadAgainFromTheAccountOfThisOne() {
    IntakePositions positions = placed(committed(20, OLD), 12L);
    assertThat(consumer.position(P)).isEqualTo(12);
    assertThat(doubted(positions, 12, 18)).hasSize(6).containsEntry(12L, SINCE);
    // up to the offset, and as many records more as the old history may have been ahead of it
    assertThat(doubted(positions, 18, 22)).containsOnlyKeys(18L, 19L, 20L, 21L);
    assertThat(doubted(positions, 25, 40)).containsOnlyKeys(25L);
    assertThat(doubted(positions, 40, 50)).isEmpty();
  }

  @Test
  void anotherHistory_ofWhichThisOneHasNoAccount_isReadFromTheBeginning() {
    IntakePositions positions = placed(committed(20, OLD), null);
    assertThat(consumer.position(P)).isEqualTo(5);
    assertThat(doubted(positions, 5, 6)).containsEntry(5L, ACCOUNT.minus(Duration.ofDays(1)));
  }

  @Test
  void anAccountOfRecordsThatTheTopicDroppedSince_isReadFromWhatIsLeft() {
    placed(committed(20, OLD), 2L);
    assertThat(consumer.position(P)).isEqualTo(5);
  }

  @Test
  void anOffsetBeforeAllThatTheTopicKeeps_isLeftToTheConsumersOwnRule() {
    placed(committed(4, OLD), 2L);
    assertThat(consumer.position(P)).isEqualTo(4);
  }

  @Test
  void anAccountBeyondTheOffset_skipsNothing() {
    IntakePositions positions = placed(committed(20, OLD), 30L);
    assertThat(consumer.position(P)).isEqualTo(20);
    assertThat(doubted(positions, 20, 40)).containsOnlyKeys(20L, 21L, 22L);
  }

  @Test
  void doubtThatIsNotOver_isCommittedBesideTheOffset_andTakenUp() {
    IntakePositions positions = placed(committed(20, OLD), 12L);
    doubted(positions, 12, 21);
    OffsetAndMetadata marked = positions.marked(P, new OffsetAndMetadata(21));
    assertThat(marked.offset()).isEqualTo(21);

    IntakePositions successor = placed(marked, 12L);
    assertThat(consumer.position(P)).isEqualTo(21);
    assertThat(doubted(successor, 21, 40))
        .containsOnly(Map.entry(21L, SINCE), Map.entry(22L, SINCE));
    assertThat(successor.marked(P, new OffsetAndMetadata(40)).metadata())
        .isEqualTo(new OffsetMark(NEW, AHEAD, null).text());
  }

  @Test
  void aHistoryThatIsLostInItsTurn_addsItsDoubtToTheOneBefore() {
    OffsetMark mark =
        new OffsetMark(OLD, AHEAD, new OffsetMark.Doubt(60, 1, SINCE.minusSeconds(9)));
    IntakePositions positions = placed(new OffsetAndMetadata(20, mark.text()), 12L);
    assertThat(doubted(positions, 12, 70))
        .hasSize(60 - 12 + AHEAD)
        .containsEntry(59L, SINCE.minusSeconds(9));
  }

  @Test
  void nothingCommitted_inANewHistory_mayHaveBeenSentAllTheSame() {
    IntakePositions positions = placed(null, null);
    assertThat(doubted(positions, 5, 40)).hasSize(35);
    assertThat(doubted(positions, 40, 60)).hasSize(10).doesNotContainKey(50L);
  }

  @Test
  void nothingCommitted_inTheFirstHistory_isNew() {
    assertThat(doubted(placed(OLD, null, null), 5, 50)).isEmpty();
  }

  @Test
  void anOffsetThatSomebodySet_isWhereItGoesOn_andDoubtedAsLongAsThisHistoryHasNoAccount() {
    IntakePositions positions = placed(new OffsetAndMetadata(20, "set by hand"), 12L);
    assertThat(consumer.position(P)).isEqualTo(20);
    assertThat(doubted(positions, 20, 40)).hasSize(20);
  }

  @Test
  void anOffsetThatSomebodySet_whereThisHistoryHasReadBefore_isNotDoubted() {
    IntakePositions positions =
        new IntakePositions(
            new History(NEW, "place", ACCOUNT.minusSeconds(1), true, 0, true, "w1"),
            AHEAD,
            _ -> Map.of(3, new IntakeProgress(12L, ACCOUNT)));
    consumer.assign(List.of(P));
    consumer.commitSync(Map.of(P, new OffsetAndMetadata(20, "")));
    positions.assigned(List.of(P));
    positions.place(consumer);
    assertThat(doubted(positions, 20, 40)).isEmpty();
  }

  @Test
  void whatIsTakenAway_isDoubtedByWhoeverGetsIt() {
    IntakePositions positions = placed(committed(20, OLD), 12L);
    positions.dropped(List.of(P));
    assertThat(doubted(positions, 12, 20)).isEmpty();
  }

  @Test
  void aDatabaseThatDoesNotAnswer_leavesThePartitionUnplaced() {
    consumer.assign(List.of(P));
    IntakePositions positions =
        new IntakePositions(
            history(NEW, true),
            AHEAD,
            _ -> {
              throw new IllegalStateException("away");
            });
    positions.assigned(List.of(P));
    assertThatThrownBy(() -> positions.place(consumer)).hasMessage("away");
    assertThat(positions.unplaced()).containsExactly(P);
  }

  @Test
  void marks_areReadAsTheyWereWritten_andNothingElseIs() {
    for (OffsetMark mark :
        List.of(
            new OffsetMark(OLD, 2000, null),
            new OffsetMark(OLD, 0, new OffsetMark.Doubt(7, 3, null)),
            new OffsetMark(NEW, 1, new OffsetMark.Doubt(Long.MAX_VALUE / 100, 0, SINCE)))) {
      assertThat(OffsetMark.parse(mark.text())).contains(mark);
    }
    for (String other :
        new String[] {null, "", "x", "tollgate history=7 ahead=1", "tollgate history= ahead="}) {
      assertThat(OffsetMark.parse(other)).isEmpty();
    }
    String text = new OffsetMark(OLD, 2000, null).text();
    assertThat(OffsetMark.parse(text + " ")).isEmpty();
    assertThat(OffsetMark.parse("tollgate history=" + "-".repeat(36) + " ahead=1")).isEmpty();
  }

  /** The group's offsets are gone too: another cluster, expired, or deleted by whoever repairs. */
  @Test
  void offsetsThatAreGone_inANewHistory_leaveNoRecordUndoubted() {
    IntakePositions positions = placed(null, 12L);
    assertThat(doubted(positions, 5, 50)).containsKeys(13L, 20L, 49L);
  }

  /** What a person does first after a backup was put back. */
  @Test
  void offsetsSetBackByHand_inANewHistory_doubtWhatTheAccountDoesNotSpeakOf() {
    IntakePositions positions = placed(new OffsetAndMetadata(10, ""), 12L);
    assertThat(doubted(positions, 10, 20)).containsKeys(13L, 19L);
  }
}
