package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.AnswerRule.Means;
import java.util.List;
import java.util.Set;

/** What the task API documents about answers to a create. */
final class TaskApiRules {
  private static final Set<Integer> ANY = Set.of();
  private static final Set<String> ANY_CODE = Set.of();

  static final List<AnswerRule> DOCUMENTED =
      List.of(
          new AnswerRule(ANY, Set.of("idempotency_key_in_use"), Means.KEY_IN_USE),
          new AnswerRule(
              Set.of(400, 401, 402, 403, 404, 405, 409, 413, 415, 422),
              Set.of("idempotency_key_reused"),
              Means.KEY_REUSED),
          new AnswerRule(Set.of(429), Set.of("rate_limited"), Means.THROTTLED),
          new AnswerRule(Set.of(402), ANY_CODE, Means.QUOTA),
          new AnswerRule(Set.of(401, 403), ANY_CODE, Means.AUTH),
          new AnswerRule(Set.of(400, 404, 405, 413, 415, 422), ANY_CODE, Means.REJECTED));

  private TaskApiRules() {}
}
