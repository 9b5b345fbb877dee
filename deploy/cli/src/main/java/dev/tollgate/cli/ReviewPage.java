package dev.tollgate.cli;

import dev.tollgate.reconciler.policy.UnknownPolicy;
import dev.tollgate.reconciler.review.Choices;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Decision.What;
import dev.tollgate.schema.store.OperationDetails;
import dev.tollgate.schema.store.OperationSummary;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Why an operation waits for a person, and what that person may decide. */
record ReviewPage(TollgateConfig config, OperationDetails details, Instant now) {
  private static final Map<What, String> MEANS =
      Map.of(
          What.FOUND, "its task is REMOTE_ID: it is followed to its output",
          What.ABSENT, "no task exists: it is sent again",
          What.FAILED, "it is over: nothing is sent, asked or fetched any more",
          What.RESEND, "it is sent again, at the risk of a second payment",
          What.AGAIN, "it goes on where it was, as if nothing had been in the way");

  /** The word that the command line has for a decision. */
  static String word(What what) {
    return what.name().toLowerCase(Locale.ROOT);
  }

  void print(PrintWriter out) {
    OperationSummary summary = details.summary();
    out.println(summary.key());
    out.println(
        "%s at %s, %s since %s"
            .formatted(
                summary.state().word(),
                summary.provider(),
                summary.review() == null ? "waits for no person" : "review " + summary.review(),
                Shown.time(summary.changedAt())));
    told().ifPresent(note -> out.println("why: " + Shown.line(note)));
    out.println("policy: " + policy());
    out.println(
        "price: %s; deadline: %s".formatted(price(), Shown.time(details.intent().deadline())));
    seen(out);
    candidates(out);
    out.println();
    out.println("what can be decided, with `tollgate review settle KEY --DECISION --why TEXT`:");
    Choices choices = new Choices(details, now);
    for (What what : What.values()) {
      String objection = choices.objection(what).orElse(null);
      out.printf(
          Locale.ROOT,
          "  %-8s %s%n",
          word(what),
          objection == null ? MEANS.get(what) : "not now: " + objection);
    }
    if (needsTwo(config, details)) {
      out.println("  resend takes two people: it costs more than tollgate.review.two-people-above");
    }
  }

  /** Tasks that evidence names, with what named them. */
  private void seen(PrintWriter out) {
    List<OperationDetails.Seen> named =
        details.evidence().stream().filter(seen -> seen.remoteId() != null).toList();
    if (named.isEmpty()) {
      out.println("no evidence names a task");
      return;
    }
    out.println("tasks that evidence names:");
    for (OperationDetails.Seen seen : named) {
      out.println(
          "  %-36s %s, %s at %s"
              .formatted(
                  Shown.line(seen.remoteId()), seen.source(), seen.code(), Shown.time(seen.at())));
    }
  }

  /** The tasks of a list between which a person has to choose. */
  private void candidates(PrintWriter out) {
    List<JsonNode> candidates = candidates();
    if (candidates.isEmpty()) {
      return;
    }
    out.println("tasks that the provider's list showed, the likeliest first:");
    String row = "  %-36s %-25s %-15s %-10s %s%n";
    out.printf(Locale.ROOT, row, "TASK", "CREATED", "AFTER THE SEND", "INPUT", "WHOSE");
    Instant sent =
        details.attempts().isEmpty()
            ? details.summary().createdAt()
            : details.attempts().getFirst().beganAt();
    for (JsonNode task : candidates) {
      Instant created = Instant.parse(task.path("created_at").asString());
      out.printf(
          Locale.ROOT,
          row,
          Shown.line(task.path("remote_id").asString()),
          Shown.time(created),
          Duration.between(sent, created).toSeconds() + " s",
          Shown.line(task.path("input").asString()),
          Shown.line(task.path("whose").asString()));
    }
  }

  private List<JsonNode> candidates() {
    return details.evidence().reversed().stream()
        .filter(seen -> seen.code() == Code.AMBIGUOUS && seen.body() != null)
        .findFirst()
        .map(seen -> JsonMapper.shared().readTree(seen.body()).valueStream().toList())
        .orElse(List.of());
  }

  /** What was noted when it became a person's. */
  private Optional<String> told() {
    return details.evidence().reversed().stream()
        .filter(seen -> seen.code() == details.summary().review() && seen.note() != null)
        .map(OperationDetails.Seen::note)
        .findFirst();
  }

  private String policy() {
    if (details.summary().state() != OperationState.UNKNOWN) {
      return "rules of tollgate.unknowns are about what is unknown";
    }
    UnknownPolicy.Case operation = operation();
    UnknownPolicy policy = UnknownPolicy.of(config);
    return policy.ruleFor(operation).isEmpty()
        ? "no rule of tollgate.unknowns fits it, so a person decides"
        : policy.decide(operation).why();
  }

  private UnknownPolicy.Case operation() {
    return new UnknownPolicy.Case(
        details.summary().key().kind(),
        details.summary().provider(),
        details.intent().price(),
        details.intent().deadline(),
        details.attempts().stream()
            .map(OperationDetails.Attempt::beganAt)
            .findFirst()
            .orElse(details.summary().createdAt()),
        details.attempts().size(),
        now);
  }

  private String price() {
    Long price = details.intent().price();
    return price == null ? "not known" : new Money(price) + " " + config.currency();
  }

  Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.putAll(OperationJson.summary(details.summary()));
    json.put("why", told().orElse(null));
    json.put("policy", policy());
    Long price = details.intent().price();
    json.put("price", price == null ? null : new Money(price).toString());
    json.put("currency", config.currency());
    Choices choices = new Choices(details, now);
    json.put("candidates", candidates());
    json.put("choices", choices.open().stream().map(ReviewPage::word).toList());
    Map<String, String> objections = new LinkedHashMap<>();
    for (What what : What.values()) {
      choices.objection(what).ifPresent(objection -> objections.put(word(what), objection));
    }
    json.put("objections", objections);
    json.put("resend_takes_two", needsTwo(config, details));
    return json;
  }

  /** Whether somebody else has to agree to a resend. */
  static boolean needsTwo(TollgateConfig config, OperationDetails details) {
    Long price = details.intent().price();
    return config
        .review()
        .twoPeopleAbove()
        .filter(most -> price == null || price > most.micros())
        .isPresent();
  }
}
