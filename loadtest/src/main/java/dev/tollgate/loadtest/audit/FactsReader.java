package dev.tollgate.loadtest.audit;

import dev.tollgate.loadtest.sandbox.Ledger;
import dev.tollgate.schema.event.DecodedResult;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.ResultDecoder;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.key.OperationKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Reads facts from where they are. Not for use by several threads. */
public final class FactsReader {
  private static final String UNFINISHED = ".partial";

  private final DSLContext db;
  private final Clients kafka;
  private final Topics topics;
  private final Path outputs;
  private final Path ledger;

  /**
   * @param db of {@code Database.forReading}
   * @param outputs the folder of stored outputs; need not exist
   * @param ledger the sandbox's file
   */
  public FactsReader(DSLContext db, Clients kafka, Topics topics, Path outputs, Path ledger) {
    this.db = db;
    this.kafka = kafka;
    this.topics = topics;
    this.outputs = outputs;
    this.ledger = ledger;
  }

  /** Reads all of it. */
  public Facts read(List<Intended> intended) {
    StoredOperations stored = new StoredOperations(db);
    // the ledger last: a task that is missing from it would hide a duplicate
    return new Facts(
        intended,
        requested(),
        deadLetters(),
        events(),
        stored.read(),
        stored.earlier(),
        stored.chunks(),
        published(),
        stored.unsent(),
        files(outputs),
        Ledger.read(ledger));
  }

  private Set<OperationKey> requested() {
    Set<OperationKey> keys = new HashSet<>();
    WholeTopic.read(
        kafka,
        topics.requests(),
        record -> {
          OperationKey key = key(record);
          if (key != null) {
            keys.add(key);
          }
        });
    return keys;
  }

  private List<Facts.DeadLetter> deadLetters() {
    List<Facts.DeadLetter> letters = new ArrayList<>();
    for (String topic : List.of(topics.requestsDlt(), topics.reconcileDlt())) {
      WholeTopic.read(
          kafka,
          topic,
          record ->
              letters.add(
                  new Facts.DeadLetter(
                      key(record),
                      Objects.requireNonNullElse(
                          DeadLetterHeaders.text(record.headers(), DeadLetterHeaders.CODE),
                          "none"))));
    }
    return letters;
  }

  private List<ResultEvent> events() {
    List<ResultEvent> events = new ArrayList<>();
    WholeTopic.read(
        kafka,
        topics.events(),
        record -> {
          switch (ResultDecoder.decode(record.key(), record.value(), record.headers())) {
            case DecodedResult.Result result -> events.add(result.event());
            case Refused refused ->
                throw new IllegalStateException(
                    "%s-%d@%d is no result event: %s"
                        .formatted(
                            record.topic(),
                            record.partition(),
                            record.offset(),
                            refused.message()));
          }
        });
    return events;
  }

  /** The id of a record is its operation's key and its offset. */
  private Map<OperationKey, Set<Integer>> published() {
    Map<OperationKey, Set<Integer>> offsets = new HashMap<>();
    WholeTopic.read(
        kafka,
        topics.chunks(),
        record -> {
          String id = String.valueOf(DeadLetterHeaders.text(record.headers(), "ce_id"));
          int slash = id.indexOf('/');
          offsets
              .computeIfAbsent(OperationKey.parse(id.substring(0, slash)), _ -> new HashSet<>())
              .add(Integer.valueOf(id.substring(slash + 1)));
        });
    return offsets;
  }

  private static @Nullable OperationKey key(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return null;
    }
    try {
      return OperationKey.parse(new String(record.key(), StandardCharsets.UTF_8));
    } catch (RuntimeException _) {
      return null; // a dead letter may have any key
    }
  }

  /** Files in a folder of outputs that are in their place. */
  static Set<Path> files(Path outputs) {
    if (!Files.isDirectory(outputs)) {
      return Set.of();
    }
    Path folder = outputs.toAbsolutePath().normalize();
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !folder.relativize(file).startsWith(UNFINISHED))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException("outputs in " + folder + " cannot be listed", e);
    }
  }
}
