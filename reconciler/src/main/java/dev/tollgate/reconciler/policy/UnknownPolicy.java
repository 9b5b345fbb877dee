package dev.tollgate.reconciler.policy;

import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.config.UnknownRuleConfig;
import dev.tollgate.schema.config.UnknownRuleConfig.Then;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The table of rules, in their order. Immutable.
 *
 * @param rules the first that fits decides
 */
public record UnknownPolicy(List<Rule> rules) {
  /** Whatever it is, a person decides. */
  public static final UnknownPolicy ASK = new UnknownPolicy(List.of());

  public UnknownPolicy {
    rules = List.copyOf(rules);
  }

  /** The configured one. */
  public static UnknownPolicy of(TollgateConfig config) {
    Map<String, UnknownRuleConfig> sorted = new TreeMap<>(config.unknowns());
    return new UnknownPolicy(
        sorted.entrySet().stream().map(rule -> Rule.of(rule.getKey(), rule.getValue())).toList());
  }

  /**
   * What is known of an operation that is to be decided on.
   *
   * @param price in millionths; absent where nobody knew
   * @param mayExist how many of its attempts may have created a task
   * @param firstBegan when the first attempt began
   */
  public record Case(
      String kind,
      String provider,
      @Nullable Long price,
      @Nullable Instant deadline,
      Instant firstBegan,
      int mayExist,
      Instant now) {}

  /** What is to be done. Reasons are sentences that name the rule. */
  public sealed interface Verdict {
    String why();

    /** A person decides. */
    record Ask(String why) implements Verdict {}

    /** It is looked for again, until then at most. */
    record Wait(String why, Instant until) implements Verdict {}

    /** It is sent again, without proof. */
    record Resend(String why) implements Verdict {}

    /** It is given up. */
    record GiveUp(String why) implements Verdict {}
  }

  /** The rule that speaks about an operation; none where a person is asked in any case. */
  public Optional<Rule> ruleFor(Case operation) {
    return rules.stream().filter(rule -> rule.fits(operation)).findFirst();
  }

  /** What is to be done about an operation of which there is no way to know. */
  public Verdict decide(Case operation) {
    return ruleFor(operation)
        .map(rule -> rule.decide(operation))
        .orElseGet(() -> new Verdict.Ask("no rule of tollgate.unknowns fits it"));
  }

  /** One row. */
  public record Rule(
      String name,
      Optional<String> kind,
      Optional<String> provider,
      Optional<Money> priceAtMost,
      Then then,
      Duration after) {

    static Rule of(String name, UnknownRuleConfig config) {
      return new Rule(
          name,
          config.kind(),
          config.provider(),
          config.priceAtMost(),
          config.then(),
          config.after());
    }

    private boolean fits(Case operation) {
      Long price = operation.price();
      return kind.filter(other -> !other.equals(operation.kind())).isEmpty()
          && provider.filter(other -> !other.equals(operation.provider())).isEmpty()
          && (priceAtMost.isEmpty() || (price != null && price <= priceAtMost.get().micros()));
    }

    private Verdict decide(Case operation) {
      String rule = "rule " + name;
      Instant deadline = operation.deadline();
      return switch (then) {
        case ASK -> new Verdict.Ask(rule + " asks a person");
        case WAIT -> {
          Instant until = until(operation);
          yield operation.now().isBefore(until)
              ? new Verdict.Wait("%s waits until %s".formatted(rule, until), until)
              : new Verdict.Ask("%s waited until %s".formatted(rule, until));
        }
        case RESEND -> {
          if (operation.mayExist() > 1) {
            yield new Verdict.Ask(rule + " accepts the risk once, and did");
          }
          yield deadline == null || operation.now().isBefore(deadline)
              ? new Verdict.Resend(rule + " accepts the risk of a second payment, once")
              : new Verdict.Ask(
                  "%s would send it again, but its deadline passed at %s"
                      .formatted(rule, deadline));
        }
        case FAIL -> {
          Instant until = until(operation);
          yield operation.now().isBefore(until)
              ? new Verdict.Wait("%s gives it up at %s".formatted(rule, until), until)
              : new Verdict.GiveUp("%s gives it up after %s".formatted(rule, until));
        }
      };
    }

    private Instant until(Case operation) {
      Instant until = operation.firstBegan().plus(after);
      Instant deadline = operation.deadline();
      return deadline != null && deadline.isBefore(until) ? deadline : until;
    }
  }
}
