package dev.tollgate.worker.intake;

import dev.tollgate.schema.store.History;
import dev.tollgate.schema.store.IntakeProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where intake goes on in each partition. That is where its group left off, unless the records
 * before that were durable in a history that the database has lost: then where this history's own
 * account says, and what is read again counts as possibly sent. Confined to the intake thread.
 */
public final class IntakePositions {
  private static final Logger log = LoggerFactory.getLogger(IntakePositions.class);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  /**
   * A batch that is durable is written down later: what the account does not speak of yet may have
   * been sent so long before it, and no longer.
   */
  private static final Duration BEFORE_ACCOUNT = Duration.ofMinutes(10);

  /** The same where there is no account, and a producer's clock is all there is. */
  private static final Duration BEFORE_RECORD = Duration.ofDays(1);

  private final History history;
  private final int ahead;
  private final Function<Collection<Integer>, Map<Integer, IntakeProgress>> accounts;

  private final Set<TopicPartition> unplaced = new HashSet<>();
  private final Map<TopicPartition, OffsetMark.Doubt> doubts = new HashMap<>();

  /**
   * @param history of the database that this process is bound to
   * @param ahead how many records of one partition may be durable beyond the offset that is
   *     committed
   * @param accounts asks the database how far it knows intake to have come, by partition
   */
  public IntakePositions(
      History history,
      int ahead,
      Function<Collection<Integer>, Map<Integer, IntakeProgress>> accounts) {
    this.history = history;
    this.ahead = ahead;
    this.accounts = accounts;
  }

  /** A batch, with what of it may have been durable before. */
  record Batch(
      ConsumerRecords<byte[], byte[]> records, Map<TopicPartition, OffsetMark.Doubt> doubts) {
    @Nullable Instant sentSince(ConsumerRecord<byte[], byte[]> record) {
      OffsetMark.Doubt doubt = doubts.get(new TopicPartition(record.topic(), record.partition()));
      if (doubt == null || record.offset() >= doubt.before()) {
        return null;
      }
      Instant since = doubt.since();
      return since == null ? Instant.ofEpochMilli(record.timestamp()).minus(BEFORE_RECORD) : since;
    }
  }

  void assigned(Collection<TopicPartition> partitions) {
    unplaced.addAll(partitions);
  }

  void dropped(Collection<TopicPartition> partitions) {
    unplaced.removeAll(partitions);
    doubts.keySet().removeAll(partitions);
  }

  /** Partitions of which nothing may be read yet. */
  Set<TopicPartition> unplaced() {
    return Set.copyOf(unplaced);
  }

  /**
   * Finds the place of what was assigned since.
   *
   * @throws RuntimeException if the broker or the database does not answer: to be repeated
   */
  void place(Consumer<?, ?> consumer) {
    if (unplaced.isEmpty()) {
      return;
    }
    Set<TopicPartition> partitions = Set.copyOf(unplaced);
    Map<TopicPartition, OffsetAndMetadata> committed =
        consumer.committed(partitions, ANSWER_WITHIN);
    Map<Integer, IntakeProgress> known =
        accounts.apply(partitions.stream().map(TopicPartition::partition).toList());
    for (TopicPartition partition : partitions) {
      place(consumer, partition, committed.get(partition), known.get(partition.partition()));
    }
    unplaced.removeAll(partitions);
  }

  private void place(
      Consumer<?, ?> consumer,
      TopicPartition partition,
      @Nullable OffsetAndMetadata committed,
      @Nullable IntakeProgress account) {
    doubts.remove(partition);
    OffsetMark mark =
        committed == null ? null : OffsetMark.parse(committed.metadata()).orElse(null);
    if (committed == null || mark == null) {
      // gone, or set by hand: then it is theirs to say where intake goes on
      unmarked(consumer, partition, account);
      return;
    }
    if (mark.history().equals(history.id())) {
      if (mark.doubt() != null) {
        doubts.put(partition, mark.doubt());
      }
      return;
    }
    rewind(consumer, partition, committed.offset(), mark, account);
  }

  /**
   * How far the lost history had come is not known: as far as the log goes now, at the most. Once
   * this history has an account of the partition, what was lost of it has been read again.
   */
  private void unmarked(
      Consumer<?, ?> consumer, TopicPartition partition, @Nullable IntakeProgress account) {
    if (!history.earlier() || (account != null && !account.at().isBefore(history.since()))) {
      return;
    }
    long end =
        Objects.requireNonNull(
            consumer.endOffsets(List.of(partition), ANSWER_WITHIN).get(partition));
    doubts.put(partition, new OffsetMark.Doubt(end, 0, since(account)));
    log.warn(
        "{} has no offset that says how far it was read in the history before {}: what is not known of"
            + " its records before {} counts as possibly sent",
        partition,
        history.id(),
        end);
  }

  private void rewind(
      Consumer<?, ?> consumer,
      TopicPartition partition,
      long committed,
      OffsetMark mark,
      @Nullable IntakeProgress account) {
    @Nullable Instant since = since(account);
    long before = committed;
    int then = mark.ahead();
    OffsetMark.Doubt earlier = mark.doubt();
    if (earlier != null) {
      before = Math.max(before, earlier.before());
      then = Math.max(then, earlier.then());
      since = earliest(since, earlier.since());
    }
    doubts.put(partition, new OffsetMark.Doubt(before, then, since));
    long first =
        Objects.requireNonNull(
            consumer.beginningOffsets(List.of(partition), ANSWER_WITHIN).get(partition));
    long known = account == null ? first : account.nextOffset();
    long from = Math.min(Math.max(known, first), committed);
    consumer.seek(partition, from);
    if (known < first) {
      log.error(
          "{}: the topic keeps no records before {}, and the database knows those before {} alone:"
              + " intents between may be lost",
          partition,
          first,
          known);
    }
    log.warn(
        "{} was read up to {} in the database's history {}, which is lost; it is read from {} again,"
            + " and what is not in history {} counts as possibly sent since {}",
        partition,
        committed,
        mark.history(),
        from,
        history.id(),
        since == null ? "a day before it was published" : since);
  }

  /** Without an account, each record's own time has to do. */
  private static @Nullable Instant since(@Nullable IntakeProgress account) {
    return account == null ? null : account.at().minus(BEFORE_ACCOUNT);
  }

  /** Where one is not known, nothing is. */
  private static @Nullable Instant earliest(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return null;
    }
    return a.isBefore(b) ? a : b;
  }

  /** Takes note of what was polled: to be called once for each batch, in the log's order. */
  Batch polled(ConsumerRecords<byte[], byte[]> records) {
    Map<TopicPartition, OffsetMark.Doubt> inBatch = new HashMap<>();
    for (TopicPartition partition : records.partitions()) {
      OffsetMark.Doubt doubt = doubts.get(partition);
      if (doubt != null) {
        inBatch.put(partition, within(records.records(partition), doubt, partition));
      }
    }
    return new Batch(records, inBatch);
  }

  private OffsetMark.Doubt within(
      List<ConsumerRecord<byte[], byte[]>> records, OffsetMark.Doubt doubt, TopicPartition at) {
    long end = 0;
    int then = doubt.then();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (record.offset() >= doubt.before()) {
        if (then == 0) {
          break;
        }
        then--;
      }
      end = record.offset() + 1;
    }
    if (then == 0 && end >= doubt.before()) {
      doubts.remove(at);
    } else {
      doubts.put(at, new OffsetMark.Doubt(doubt.before(), then, doubt.since()));
    }
    return new OffsetMark.Doubt(end, 0, doubt.since());
  }

  /** An offset before which all is durable, as it is to be committed. */
  OffsetAndMetadata marked(TopicPartition partition, OffsetAndMetadata next) {
    OffsetMark.Doubt doubt = doubts.get(partition);
    return new OffsetAndMetadata(
        next.offset(), next.leaderEpoch(), new OffsetMark(history.id(), ahead, doubt).text());
  }
}
