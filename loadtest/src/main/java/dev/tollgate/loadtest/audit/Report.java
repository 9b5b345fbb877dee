package dev.tollgate.loadtest.audit;

import dev.tollgate.schema.state.OperationState;
import java.util.List;
import java.util.Map;

/**
 * What a run came to. Immutable.
 *
 * @param intended operations that producers asked for
 * @param rows operations that the database holds
 * @param remoteTasks tasks in the provider's ledger: what was paid
 * @param duplicates over all intended operations, the tasks beyond the first
 * @param lost intended operations with neither row nor dead letter, plus remote tasks that nobody
 *     owns, plus complete operations without their output
 * @param byState operations by state, every state
 * @param byProvider the same for each provider, without zeros
 * @param review unknown operations that wait for a person
 * @param deadLetters records in the dead-letter topics
 * @param unknownSeen operations that were unknown at some time: evidence {@code OUTCOME_UNKNOWN} or
 *     {@code LEASE_LOST}; each counts once
 * @param reconciledWithoutRetry operations whose task was found, evidence {@code FOUND}; each
 *     counts once
 * @param protectedRetries looks that ended in a resend under the provider's promise, evidence
 *     {@code PROTECTED_RESEND}; each counts
 * @param provedAbsent looks that proved that no task exists, evidence {@code ABSENT}; each counts
 * @param staleFences outcomes of attempts that came after the sweep had taken their claim: a
 *     worker's report under a fence for which {@code LEASE_LOST} is in evidence; each counts
 * @param streamed the texts that were streamed
 * @param faultsFired how often the provider misbehaved, by the fault's name
 * @param violations every broken rule
 */
public record Report(
    long intended,
    long rows,
    long remoteTasks,
    long duplicates,
    long lost,
    Map<OperationState, Long> byState,
    Map<String, Map<OperationState, Long>> byProvider,
    long review,
    long deadLetters,
    long unknownSeen,
    long reconciledWithoutRetry,
    long protectedRetries,
    long provedAbsent,
    long staleFences,
    Streamed streamed,
    Map<String, Long> faultsFired,
    List<Violation> violations) {
  public Report {
    byState = Map.copyOf(byState);
    byProvider = Map.copyOf(byProvider);
    faultsFired = Map.copyOf(faultsFired);
    violations = List.copyOf(violations);
  }

  /**
   * What was stored while it came.
   *
   * @param texts operations that have chunks
   * @param chunks of all of them
   * @param resumed how often the provider was asked to go on with one, and did
   */
  public record Streamed(long texts, long chunks, long resumed) {}

  public long in(OperationState state) {
    return byState.getOrDefault(state, 0L);
  }
}
