package dev.tollgate.reconciler.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.reconciler.policy.UnknownPolicy.Case;
import dev.tollgate.reconciler.policy.UnknownPolicy.Rule;
import dev.tollgate.reconciler.policy.UnknownPolicy.Verdict;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.config.UnknownRuleConfig.Then;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class UnknownPolicyTest {
  private static final Instant BEGAN = Instant.parse("2025-06-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private static Rule rule(String name, Then then) {
    return new Rule(name, Optional.empty(), Optional.empty(), Optional.empty(), then, HOUR);
  }

  private static Case operation(
      @Nullable Long price, @Nullable Instant deadline, int mayExist, Duration after) {
    return new Case("video", "p", price, deadline, BEGAN, mayExist, BEGAN.plus(after));
  }

  private static Verdict decide(Then then, Case operation) {
    return new UnknownPolicy(List.of(rule("r", then))).decide(operation);
  }

  @Test
  void withoutARule_aPersonIsAsked() {
    assertThat(UnknownPolicy.ASK.decide(operation(1L, null, 1, HOUR)))
        .isInstanceOf(Verdict.Ask.class);
  }

  @Test
  void firstThatFits_decides() {
    Rule other =
        new Rule("1", Optional.empty(), Optional.of("other"), Optional.empty(), Then.RESEND, HOUR);
    Rule kind =
        new Rule("2", Optional.of("image"), Optional.empty(), Optional.empty(), Then.RESEND, HOUR);
    Rule cheap =
        new Rule(
            "3",
            Optional.of("video"),
            Optional.of("p"),
            Optional.of(new Money(5)),
            Then.FAIL,
            HOUR);
    UnknownPolicy policy = new UnknownPolicy(List.of(other, kind, cheap, rule("4", Then.RESEND)));
    assertThat(policy.ruleFor(operation(5L, null, 1, HOUR)).orElseThrow().name()).isEqualTo("3");
    assertThat(policy.ruleFor(operation(6L, null, 1, HOUR)).orElseThrow().name()).isEqualTo("4");
    assertThat(policy.ruleFor(operation(null, null, 1, HOUR)).orElseThrow().name())
        .as("a price that nobody knows is not at most anything")
        .isEqualTo("4");
  }

  @Test
  void resend_isDoneOnce_andNotAfterTheDeadline() {
    assertThat(decide(Then.RESEND, operation(1L, null, 1, HOUR)))
        .isInstanceOf(Verdict.Resend.class);
    assertThat(decide(Then.RESEND, operation(1L, null, 2, HOUR))).isInstanceOf(Verdict.Ask.class);
    assertThat(decide(Then.RESEND, operation(1L, BEGAN.plus(HOUR), 1, HOUR)))
        .isInstanceOf(Verdict.Ask.class);
  }

  @Test
  void wait_endsWithTheTimeOrTheDeadline_whicheverIsSooner() {
    assertThat(decide(Then.WAIT, operation(1L, null, 1, HOUR.minusNanos(1))))
        .isInstanceOfSatisfying(
            Verdict.Wait.class, wait -> assertThat(wait.until()).isEqualTo(BEGAN.plus(HOUR)));
    assertThat(decide(Then.WAIT, operation(1L, null, 1, HOUR))).isInstanceOf(Verdict.Ask.class);
    assertThat(decide(Then.WAIT, operation(1L, BEGAN.plusSeconds(9), 1, Duration.ofSeconds(9))))
        .isInstanceOf(Verdict.Ask.class);
  }

  @Test
  void fail_waitsFirst() {
    assertThat(decide(Then.FAIL, operation(1L, null, 1, Duration.ZERO)))
        .isInstanceOf(Verdict.Wait.class);
    assertThat(decide(Then.FAIL, operation(1L, null, 1, HOUR))).isInstanceOf(Verdict.GiveUp.class);
  }
}
