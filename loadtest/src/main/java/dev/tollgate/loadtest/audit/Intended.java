package dev.tollgate.loadtest.audit;

import dev.tollgate.schema.key.OperationKey;

/**
 * One output that a producer asked for, however often it said so.
 *
 * @param provider name of the provider, which is also the sandbox's kind
 * @param input canonical JSON of what is the input of its create request: its parameters, of a text
 *     the prompt alone. No other output of the run has the same, so that the provider's ledger
 *     tells whose a task is
 */
public record Intended(OperationKey key, String provider, String input) {}
