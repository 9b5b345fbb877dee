package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of one operation.
 *
 * @param generations the known generations of its output, itself included, in their order: at most
 *     {@value GenerationReader#EITHER_WAY} before it and as many after it
 * @param evidence the newest {@value OperationReader#EVIDENCE_MAX}, oldest first
 * @param evidenceCount all there is
 */
public record OperationDetails(
    OperationSummary summary,
    Intent intent,
    List<Attempt> attempts,
    List<Seen> evidence,
    int evidenceCount,
    @Nullable StoredOutput output,
    @Nullable Instant outputStoredAt,
    List<Generation> generations) {

  /** The next generation of its output that is known; null where there is none. */
  public @Nullable Generation next() {
    return generations.stream()
        .filter(other -> other.number() > intent.generation())
        .findFirst()
        .orElse(null);
  }

  /** One generation of an output, and where it stands. */
  public record Generation(int number, OperationKey key, OperationState state) {}

  /**
   * What the producer asked for.
   *
   * @param dimensions canonical JSON
   * @param params canonical JSON as UTF-8; may hold what the producer would not want shown
   * @param producer source of its event
   * @param price in millionths of the configured currency
   * @param generation which try of the output it is, from 1
   * @param retry that it was asked for after the generation before had ended
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  public record Intent(
      byte[] requestHash,
      byte[] submissionKey,
      @Nullable Instant deadline,
      @Nullable String productionTask,
      String dimensions,
      byte[] params,
      int sourcePartition,
      long sourceOffset,
      @Nullable String producer,
      @Nullable Long price,
      int generation,
      @Nullable Retry retry) {}

  /**
   * One time it was marked {@code sending}.
   *
   * @param carried see {@link Terms#carries}
   */
  public record Attempt(
      int fence,
      UUID claim,
      String owner,
      Instant beganAt,
      Instant sendDeadline,
      Instant absentAfter,
      int carried) {}

  /** One piece of evidence, and when it was stored. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  public record Seen(
      Instant at,
      int fence,
      String source,
      Code code,
      @Nullable Integer status,
      @Nullable String remoteId,
      @Nullable String note,
      @Nullable String headers,
      byte @Nullable [] body,
      boolean truncated) {}
}
