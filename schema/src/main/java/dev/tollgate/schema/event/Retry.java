package dev.tollgate.schema.event;

import dev.tollgate.schema.key.OperationKey;
import org.jspecify.annotations.Nullable;

/**
 * That a request asks for the next generation of an output: a new operation, paid for by itself,
 * after the earlier one failed or its result was rejected. Immutable.
 *
 * @param of the generation before: the same dimensions, with a generation that is less by one
 * @param by who asks; {@link #POLICY} where nobody but the configuration does, absent where a
 *     producer does not say
 * @param why a sentence, of at most {@value #WHY_CHARS_MAX} characters
 */
public record Retry(OperationKey of, @Nullable String by, @Nullable String why) {
  /** What the policy names itself. */
  public static final String POLICY = "/tollgate/policy";

  /** In code points. The JSON Schema repeats it. */
  public static final int WHY_CHARS_MAX = 500;

  /** Whether the configuration's policy asks, and not a producer or a person. */
  public boolean byPolicy() {
    return POLICY.equals(by);
  }
}
