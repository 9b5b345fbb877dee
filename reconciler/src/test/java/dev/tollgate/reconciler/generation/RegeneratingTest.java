package dev.tollgate.reconciler.generation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.GenerationsConfig.FailureClass;
import dev.tollgate.schema.event.Decoded;
import dev.tollgate.schema.event.RequestDecoder;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.KnownIntent;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.schema.store.Regenerations;
import dev.tollgate.schema.store.ScriptedStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

final class RegeneratingTest {
  private static final String TOPIC = "generation.requests";

  private final Table table = new Table();
  private final Known known = new Known();
  private final Broker broker = new Broker();
  private final List<String> left = new ArrayList<>();
  private final Map<String, GenerationPolicy> policies =
      Map.of(
          Fixture.PROVIDER,
          new GenerationPolicy(Set.of(FailureClass.FAILED), 2, Duration.ofMinutes(1), null, null));
  private final Regenerating regenerating =
      new Regenerating(
          table, known, policies, broker, TOPIC, (provider, why) -> left.add(provider + " " + why));
  private final Failures failures = new Failures(table, policies);

  private List<Decoded> asked() {
    return broker.history().stream()
        .map(record -> RequestDecoder.decode(record.key(), record.value(), record.headers()))
        .toList();
  }

  @Test
  void runOnce_nothingIsDue_asksNobody() throws Exception {
    assertThat(regenerating.runOnce()).isFalse();
    assertThat(known.asked).isZero();
  }

  @Test
  void runOnce_failed_itsNextGenerationIsAskedFor_asAProducerWould() throws Exception {
    Failed failed = new Failed(1);
    table.add(failed);
    regenerating.runOnce();
    assertThat(broker.history()).extracting(ProducerRecord::topic).containsExactly(TOPIC);
    assertThat(asked())
        .singleElement()
        .isInstanceOfSatisfying(
            Decoded.Request.class,
            decoded -> {
              assertThat(decoded.request().key()).isEqualTo(failed.nextKey());
              assertThat(decoded.request().producer()).isEqualTo("/shop");
              assertThat(decoded.request().productionTask()).isEqualTo("task-1");
              assertThat(decoded.request().retry())
                  .isEqualTo(
                      new Retry(failed.key(), Retry.POLICY, "PROVIDER_FAILED: failed: code 7"));
            });
    assertThat(table.rows).isEmpty();
    assertThat(left).isEmpty();
  }

  /** The same process later, or another one: the same request. */
  @Test
  void runOnce_notAcknowledged_isAskedForAgain_withTheSameKey() throws Exception {
    table.add(new Failed(1));
    table.add(new Failed(2));
    broker.refused = 0;
    regenerating.runOnce();
    assertThat(table.rows).containsOnlyKeys(new Failed(1).key());
    regenerating.runOnce();
    assertThat(table.rows).isEmpty();
    assertThat(broker.keys())
        .containsExactly(new Failed(2).nextKey().toString(), new Failed(1).nextKey().toString());
  }

  /** It would be as large the next time. */
  @Test
  void runOnce_requestIsTooLargeForTheBroker_isForgottenAndCounted() throws Exception {
    table.add(new Failed(1));
    table.add(new Failed(2));
    broker.refused = 0;
    broker.refusal = new RecordTooLargeException("too large");
    regenerating.runOnce();
    assertThat(table.rows).isEmpty();
    assertThat(left).containsExactly("keyed too_large");
    assertThat(broker.keys()).containsExactly(new Failed(2).nextKey().toString());
  }

  @Test
  void runOnce_diesBeforeItForgets_asksForTheSameOperationTwice() throws Exception {
    table.add(new Failed(1));
    table.keeps = true;
    regenerating.runOnce();
    regenerating.runOnce();
    assertThat(broker.history()).hasSize(2);
    assertThat(new HashSet<>(broker.keys())).hasSize(1);
  }

  @Test
  void runOnce_producerAskedMeanwhile_nothingIsSent() throws Exception {
    table.add(new Failed(1));
    known.keys.add(new Failed(1).nextKey());
    regenerating.runOnce();
    assertThat(broker.history()).isEmpty();
    assertThat(table.rows).isEmpty();
    assertThat(left).containsExactly("keyed known");
  }

  @Test
  void runOnce_whatThePolicyIsNotAbout_isForgottenAndCounted() throws Exception {
    table.add(new Failed(1).doubted(Code.SUSPECTED_DUPLICATE));
    table.add(new Failed(2).because(Code.PROVIDER_FAILED, "expired: no reason given"));
    table.add(new Failed(3).until(Instant.EPOCH));
    table.add(new Failed(4, 2, Code.PROVIDER_FAILED, "failed: code 7", null, null));
    regenerating.runOnce();
    assertThat(broker.history()).isEmpty();
    assertThat(table.rows).isEmpty();
    assertThat(left)
        .containsExactly("keyed doubt", "keyed other_failure", "keyed deadline", "keyed limit");
  }

  @Test
  void runOnce_providerWithoutAPolicy_isForgotten() throws Exception {
    table.add(new Failed(1));
    new Regenerating(table, known, Map.of(), broker, TOPIC, (provider, why) -> left.add(why))
        .runOnce();
    assertThat(broker.history()).isEmpty();
    assertThat(table.rows).isEmpty();
    assertThat(left).containsExactly("other_failure");
  }

  /** A provider's words may be long, and hold what no request may. */
  @Test
  void runOnce_longReason_isCut() throws Exception {
    String words = "failed: " + "\uD83E\uDE81".repeat(400) + "\n";
    table.add(new Failed(1).because(Code.PROVIDER_FAILED, words));
    table.add(new Failed(2).because(Code.PROVIDER_FAILED, "failed: two\nlines"));
    regenerating.runOnce();
    assertThat(asked()).hasSize(2).allMatch(decoded -> decoded instanceof Decoded.Request);
  }

  private static OutboxRow told(int n, String provider, OperationState state, Code reason) {
    return new OutboxRow(
        n, Fixture.key(n), false, state, 3, 1, provider, reason, null, Instant.EPOCH);
  }

  @Test
  void failures_areNotedWhereAPolicyMayBeAboutThem() {
    failures.accept(
        List.of(
            told(1, Fixture.PROVIDER, OperationState.FAILED, Code.PROVIDER_FAILED),
            told(2, Fixture.PROVIDER, OperationState.FAILED, Code.PROVIDER_REJECTED),
            told(3, Fixture.PROVIDER, OperationState.FAILED, Code.BUDGET_EXHAUSTED),
            told(4, Fixture.PROVIDER, OperationState.COMPLETE, Code.OUTPUT_STORED),
            told(5, Fixture.OTHER_PROVIDER, OperationState.FAILED, Code.PROVIDER_FAILED),
            told(6, Fixture.PROVIDER, OperationState.UNKNOWN, Code.OUTCOME_UNKNOWN)));
    assertThat(table.noted).containsExactly(Map.of(Fixture.key(1), Duration.ofMinutes(1)));
    failures.accept(
        List.of(told(4, Fixture.PROVIDER, OperationState.COMPLETE, Code.OUTPUT_STORED)));
    assertThat(table.noted).as("no statement for nothing").hasSize(1);
  }

  /** All that is in it is due. */
  private static final class Table implements Regenerations {
    private final Map<OperationKey, Due> rows = new LinkedHashMap<>();
    private final List<Map<OperationKey, Duration>> noted = new ArrayList<>();
    private boolean keeps;

    void add(Failed failed) {
      rows.put(failed.key(), failed.due());
    }

    @Override
    public void note(Map<OperationKey, Duration> pauses) {
      noted.add(pauses);
    }

    @Override
    public List<Due> take(int limit, Duration lease) {
      return List.copyOf(rows.values());
    }

    @Override
    public void done(Collection<OperationKey> keys) {
      if (!keeps) {
        rows.keySet().removeAll(keys);
      }
    }
  }

  private static final class Known extends ScriptedStore {
    private final Set<OperationKey> keys = new HashSet<>();
    private int asked;

    @Override
    public List<KnownIntent> find(Collection<OperationKey> wanted) {
      asked++;
      return wanted.stream()
          .filter(keys::contains)
          .map(key -> new KnownIntent(key, new byte[32], OperationState.PREPARED, 0, null, null))
          .toList();
    }
  }

  /** Acknowledges every record but one. */
  private static final class Broker extends MockProducer<byte[], byte[]> {
    private int refused = -1;
    private int sent;
    private ApiException refusal = new TimeoutException("not acknowledged");

    Broker() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    List<String> keys() {
      return history().stream()
          .map(record -> new String(record.key(), java.nio.charset.StandardCharsets.UTF_8))
          .toList();
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      return sent++ == refused ? CompletableFuture.failedFuture(refusal) : super.send(record);
    }
  }
}
