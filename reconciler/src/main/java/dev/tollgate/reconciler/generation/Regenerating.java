package dev.tollgate.reconciler.generation;

import dev.tollgate.reconciler.generation.GenerationPolicy.Decision;
import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.event.NextGeneration;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.key.Dimensions;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.KnownIntent;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.Regenerations;
import dev.tollgate.schema.store.Regenerations.Due;
import dev.tollgate.worker.loop.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides on failed operations that are due, and publishes the requests for their next generations.
 * Intake looks at each as at any other, and once more at whether the earlier one has ended.
 * Confined to its loop's thread.
 */
public final class Regenerating implements Step {
  private static final Logger log = LoggerFactory.getLogger(Regenerating.class);
  private static final int MOST = 100;

  /** Should this process die, or the broker not answer, they are due again after this. */
  private static final Duration LEASE = Duration.ofSeconds(60);

  private final Regenerations regenerations;
  private final OperationStore store;
  private final Map<String, GenerationPolicy> policies;
  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final BiConsumer<String, String> left;

  /**
   * @param policies by provider; what fails at others is forgotten
   * @param topic where requests go
   * @param left hears of each failed operation that none is asked for: its provider, and why
   */
  public Regenerating(
      Regenerations regenerations,
      OperationStore store,
      Map<String, GenerationPolicy> policies,
      Producer<byte[], byte[]> producer,
      String topic,
      BiConsumer<String, String> left) {
    this.regenerations = regenerations;
    this.store = store;
    this.policies = Map.copyOf(policies);
    this.producer = producer;
    this.topic = topic;
    this.left = left;
  }

  @Override
  public boolean runOnce() throws InterruptedException {
    List<Due> due = regenerations.take(MOST, LEASE);
    if (due.isEmpty()) {
      return false;
    }
    List<OperationKey> over = new ArrayList<>();
    Map<Due, RequestWriter.Ready> wanted = new LinkedHashMap<>();
    for (Due failed : due) {
      Decision decision = decide(failed, wanted);
      if (decision != Decision.ASK) {
        leave(failed, decision, over);
      }
    }
    ask(wanted, over);
    regenerations.done(over);
    return due.size() == MOST;
  }

  private Decision decide(Due failed, Map<Due, RequestWriter.Ready> wanted) {
    GenerationPolicy policy = policies.get(failed.earlier().provider());
    if (policy == null) {
      return Decision.OTHER_FAILURE;
    }
    int generation;
    try {
      generation = Dimensions.fromCanonicalJson(failed.earlier().dimensions()).generation();
    } catch (RefusedException e) {
      log.warn("the dimensions of {} cannot be read: {}", failed.earlier().key(), e.reason());
      return Decision.UNREADABLE;
    }
    Decision decision = policy.decide(failed, generation);
    if (decision != Decision.ASK) {
      return decision;
    }
    String why = "%s: %s".formatted(failed.reason(), failed.why());
    return switch (NextGeneration.of(failed.earlier(), Retry.POLICY, sentence(why))) {
      case RequestWriter.Ready ready -> {
        wanted.put(failed, ready);
        yield Decision.ASK;
      }
      case Refused refused -> {
        log.warn("no request can be made of {}: {}", failed.earlier().key(), refused.message());
        yield Decision.UNREADABLE;
      }
    };
  }

  /** On one line and within the bound: a provider's words are in it. */
  private static String sentence(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    int end = Math.min(line.length(), Retry.WHY_CHARS_MAX);
    boolean halved = end < line.length() && Character.isHighSurrogate(line.charAt(end - 1));
    return line.substring(0, halved ? end - 1 : end);
  }

  private void ask(Map<Due, RequestWriter.Ready> wanted, List<OperationKey> over)
      throws InterruptedException {
    if (wanted.isEmpty()) {
      return;
    }
    // a producer may have asked meanwhile, with other parameters: then this would be a dead letter
    Set<OperationKey> known =
        store.find(wanted.values().stream().map(RequestWriter.Ready::key).toList()).stream()
            .map(KnownIntent::key)
            .collect(Collectors.toSet());
    Map<Due, Future<?>> sent = new LinkedHashMap<>();
    wanted.forEach(
        (failed, ready) -> {
          if (known.contains(ready.key())) {
            leave(failed, Decision.KNOWN, over);
          } else {
            sent.put(failed, producer.send(ready.message().toRecord(topic)));
          }
        });
    for (Map.Entry<Due, Future<?>> request : sent.entrySet()) {
      OperationKey key = request.getKey().earlier().key();
      try {
        request.getValue().get();
        over.add(key);
        log.info("{} failed ({}); its next generation is asked for", key, request.getKey().why());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RecordTooLargeException) {
          // it would be as large the next time
          leave(request.getKey(), Decision.TOO_LARGE, over);
          continue;
        }
        log.warn(
            "the request for the next generation of {} was not acknowledged; it is sent again",
            key,
            e.getCause());
      }
    }
  }

  private void leave(Due failed, Decision decision, List<OperationKey> over) {
    over.add(failed.earlier().key());
    left.accept(failed.earlier().provider(), decision.word());
    log.info(
        "{} failed ({}: {}); no next generation is asked for: {}{}",
        failed.earlier().key(),
        failed.reason(),
        failed.why(),
        decision.word(),
        decision == Decision.DOUBT ? " " + failed.doubt() : "");
  }
}
