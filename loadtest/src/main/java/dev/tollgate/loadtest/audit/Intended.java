package dev.tollgate.loadtest.audit;

import dev.tollgate.schema.key.OperationKey;

/**
 * One output that a producer asked for, however often it said so.
 *
 * @param provider name of the provider, which is also the sandbox's kind
 * @param params canonical JSON of its parameters; no other operation of the run has the same, so
 *     that the provider's ledger tells whose a task is
 */
public record Intended(OperationKey key, String provider, String params) {}
