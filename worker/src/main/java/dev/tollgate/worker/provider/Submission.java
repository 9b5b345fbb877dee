package dev.tollgate.worker.provider;

/**
 * One request to create a remote task. The deadlines are readings of the monotonic clock that the
 * adapter was given, and are compared by difference.
 *
 * @param key the operation key in its text form, for logs only
 * @param params the submission parameters as canonical JSON
 * @param submissionKey the unguessable key that all attempts of the operation share; ASCII letters,
 *     digits, hyphens and underscores
 * @param sendNotAfterNanos no first byte leaves once this is reached: the result is {@link
 *     Verdict.NotSent}
 * @param answerByNanos no answer is awaited past this: what came until then is judged
 */
public record Submission(
    String key, Bytes params, String submissionKey, long sendNotAfterNanos, long answerByNanos) {

  /**
   * Checks what would be a mistake of the caller.
   *
   * @throws IllegalArgumentException if the submission key could not stand in a header, or an
   *     answer would be awaited for less long than a send is allowed
   */
  public Submission {
    if (!submissionKey.matches("[A-Za-z0-9_-]{1,128}")) {
      throw new IllegalArgumentException("operation " + key + ": malformed submission key");
    }
    if (answerByNanos - sendNotAfterNanos < 0) {
      throw new IllegalArgumentException("operation " + key + ": answer due before the send is");
    }
  }

  /** Copies {@code params}. */
  public Submission(
      String key, byte[] params, String submissionKey, long sendNotAfterNanos, long answerByNanos) {
    this(key, Bytes.copyOf(params), submissionKey, sendNotAfterNanos, answerByNanos);
  }

  /** Without the parameters, and without the key that only the provider may see. */
  @Override
  public String toString() {
    return "Submission[key=" + key + ", params=" + params + "]";
  }
}
