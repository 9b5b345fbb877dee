package dev.tollgate.worker.provider;

/**
 * The outcome of one submit: what it means, and what it was concluded from.
 *
 * @param verdict what is known now
 * @param raw the evidence for it
 */
public record SubmitResult(Verdict verdict, RawAnswer raw) {}
