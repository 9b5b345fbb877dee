package dev.tollgate.reconciler.generation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.reconciler.generation.GenerationPolicy.Decision;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.GenerationsConfig.FailureClass;
import dev.tollgate.schema.config.Money;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GenerationPolicyTest {
  private static final GenerationPolicy ALL = policy(Set.of(FailureClass.values()), null, null);

  private static GenerationPolicy policy(
      Set<FailureClass> on, @Nullable String priceMax, @Nullable String price) {
    return new GenerationPolicy(
        on,
        3,
        Duration.ofMinutes(1),
        priceMax == null ? null : Money.of(priceMax),
        price == null ? null : Money.of(price));
  }

  @ParameterizedTest
  @CsvSource({
    "PROVIDER_FAILED, failed: code 7, FAILED",
    "PROVIDER_FAILED, cancelled: no reason given, CANCELLED",
    "PROVIDER_FAILED, expired: no reason given, EXPIRED",
    "PROVIDER_FAILED, '12 chunks, failed: overloaded', FAILED",
    "PROVIDER_FAILED, '0 chunks, cancelled', CANCELLED",
    "PROVIDER_REJECTED, PERMANENT: status 422, REJECTED",
  })
  void decide_eachFailure_isAskedForWhereItIsConfigured(
      Code reason, String why, FailureClass failure) {
    Failed failed = new Failed(1).because(reason, why);
    assertThat(ALL.decide(failed.due(), 1)).isEqualTo(Decision.ASK);
    assertThat(policy(Set.of(failure), null, null).decide(failed.due(), 1)).isEqualTo(Decision.ASK);
    for (FailureClass other : FailureClass.values()) {
      if (other != failure) {
        assertThat(policy(Set.of(other), null, null).decide(failed.due(), 1))
            .isEqualTo(Decision.OTHER_FAILURE);
      }
    }
  }

  /** Another try would meet the same, or hide a broken rule. */
  @ParameterizedTest
  @CsvSource({
    "PROVIDER_REJECTED, KEY_REUSED: status 409",
    "PROVIDER_REJECTED, a sentence of an older build",
    "PROVIDER_FAILED, dull: code 7",
    "PROVIDER_FAILED, ",
    "DEADLINE_EXPIRED, the deadline passed",
    "BUDGET_EXHAUSTED, a budget",
    "PRICE_UNKNOWN, a budget",
    "OUTCOME_UNKNOWN, failed: given up",
  })
  void decide_anyOtherEnd_isForNobody(Code reason, @Nullable String why) {
    assertThat(ALL.decide(new Failed(1).because(reason, why).due(), 1))
        .isEqualTo(Decision.OTHER_FAILURE);
  }

  @Test
  void decide_limit_countsTheFirstOne() {
    assertThat(ALL.decide(new Failed(1).due(), 2)).isEqualTo(Decision.ASK);
    assertThat(ALL.decide(new Failed(1).due(), 3)).isEqualTo(Decision.LIMIT);
    assertThat(ALL.decide(new Failed(1).due(), 7)).isEqualTo(Decision.LIMIT);
  }

  @Test
  void decide_doubt_isForAPerson() {
    assertThat(ALL.decide(new Failed(1).doubted(Code.SUSPECTED_DUPLICATE).due(), 1))
        .isEqualTo(Decision.DOUBT);
  }

  @Test
  void decide_deadline_isTheDatabasesToTell() {
    assertThat(ALL.decide(new Failed(1).until(Failed.NOW.plusMillis(1)).due(), 1))
        .isEqualTo(Decision.ASK);
    assertThat(ALL.decide(new Failed(1).until(Failed.NOW).due(), 1)).isEqualTo(Decision.DEADLINE);
  }

  @Test
  void decide_price_isBounded_andUnknownOnesAreNot() {
    Set<FailureClass> failed = Set.of(FailureClass.FAILED);
    assertThat(policy(failed, "0.5", "0.5").decide(new Failed(1).due(), 1)).isEqualTo(Decision.ASK);
    assertThat(policy(failed, "0.5", "0.500001").decide(new Failed(1).due(), 1))
        .isEqualTo(Decision.PRICE);
    assertThat(policy(failed, "0.5", null).decide(new Failed(1).due(), 1))
        .isEqualTo(Decision.PRICE);
    assertThat(policy(failed, null, null).decide(new Failed(1).due(), 1)).isEqualTo(Decision.ASK);
  }

  private static Map<String, GenerationPolicy> configured(String... settings) {
    Map<String, String> all = new HashMap<>();
    all.put("tollgate.kafka.bootstrap-servers", "unused:1");
    all.put("tollgate.database.url", "jdbc:postgresql://unused/unused");
    all.put("tollgate.providers.keyed.price", "0.35");
    all.put("tollgate.providers.lookup.concurrency", "1");
    for (int i = 0; i < settings.length; i += 2) {
      all.put("tollgate." + settings[i], settings[i + 1]);
    }
    return GenerationPolicy.of(ConfigFile.read(Optional.empty(), all));
  }

  @Test
  void of_nothingConfigured_isNoPolicy() {
    assertThat(configured()).isEmpty();
    assertThat(configured("generations.policy.max", "5")).isEmpty();
  }

  @Test
  void of_providersOwn_goesBeforeWhatHoldsForAll() {
    Map<String, GenerationPolicy> policies =
        configured(
            "generations.policy.on", "failed",
            "generations.policy.price-max", "1",
            "providers.lookup.generations.on", "expired,failed",
            "providers.lookup.generations.max", "4",
            "providers.lookup.generations.after", "5s");
    assertThat(policies.get("keyed"))
        .isEqualTo(
            new GenerationPolicy(
                Set.of(FailureClass.FAILED),
                2,
                Duration.ofMinutes(1),
                Money.of("1"),
                Money.of("0.35")));
    GenerationPolicy own = Objects.requireNonNull(policies.get("lookup"));
    assertThat(own.on()).containsExactlyInAnyOrder(FailureClass.EXPIRED, FailureClass.FAILED);
    assertThat(own.max()).isEqualTo(4);
    assertThat(own.after()).isEqualTo(Duration.ofSeconds(5));
    assertThat(own.price()).isNull();
    assertThat(
            configured("generations.policy.on", "failed", "providers.keyed.generations.max", "1"))
        .containsOnlyKeys("lookup");
  }
}
