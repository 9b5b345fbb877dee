package dev.tollgate.worker.provider;

import java.util.Locale;
import java.util.Set;

/**
 * One thing that a provider documents about answers to a create. {@link VerdictRules} rejects and
 * throttles on this ground only. Immutable.
 *
 * @param statuses the HTTP statuses it is about; empty: any from 400 on
 * @param codes the provider's error codes it is about; empty: any
 * @param means what such an answer is documented to mean
 */
public record AnswerRule(Set<Integer> statuses, Set<String> codes, Means means) {
  /** What an answer says about the create it answers. */
  public enum Means {
    /** Nothing was created, and the same parameters would meet the same no. */
    REJECTED,
    /** Nothing was created: no credit, or a spending limit. */
    QUOTA,
    /** Nothing was created: the credential is missing, wrong or not allowed. */
    AUTH,
    /** Nothing was created: later, please. */
    THROTTLED,
    /** The first request with this key is still running. */
    KEY_IN_USE,
    /** This key came before with other parameters; this request created nothing. */
    KEY_REUSED,
    /** It proves nothing, although a later rule might say otherwise of its status. */
    UNDECIDED;

    /** The word in a descriptor. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private boolean provesNothingCreated() {
      return this != KEY_IN_USE && this != UNDECIDED;
    }
  }

  /**
   * Copies and checks.
   *
   * @throws IllegalArgumentException if no provider's word could make the status mean that: one
   *     that says nothing by itself needs the codes that do
   */
  public AnswerRule {
    statuses = Set.copyOf(statuses);
    codes = Set.copyOf(codes);
    for (int status : statuses) {
      if (status < 200 || status > 599 || status / 100 == 3) {
        throw new IllegalArgumentException("status " + status + " is judged without rules");
      }
      if (means.provesNothingCreated() && codes.isEmpty() && !speaks(status, means)) {
        throw new IllegalArgumentException(
            "status %d alone cannot mean '%s': name the codes that do"
                .formatted(status, means.word()));
      }
    }
    if (means.provesNothingCreated() && statuses.isEmpty()) {
      throw new IllegalArgumentException("'" + means.word() + "' needs its statuses");
    }
  }

  /** Timeouts, conflicts, too-early, success and server errors say nothing about creation. */
  private static boolean speaks(int status, Means means) {
    boolean plain = status / 100 == 4 && !Set.of(408, 409, 425, 429).contains(status);
    return plain || (status == 429 && means == Means.THROTTLED);
  }

  /** Whether it is about an answer of this status with this code. */
  public boolean fits(int status, String code) {
    return (statuses.isEmpty() ? status >= 400 : statuses.contains(status))
        && (codes.isEmpty() || codes.contains(code));
  }
}
