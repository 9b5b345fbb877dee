package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of one operation.
 *
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
    @Nullable Instant outputStoredAt) {

  /**
   * What the producer asked for.
   *
   * @param dimensions canonical JSON
   * @param params canonical JSON as UTF-8; may hold what the producer would not want shown
   * @param producer source of its event
   * @param price in millionths of the configured currency
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
      @Nullable Long price) {}

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
