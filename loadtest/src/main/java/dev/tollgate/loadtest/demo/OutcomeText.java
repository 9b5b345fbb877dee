package dev.tollgate.loadtest.demo;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.tollgate.loadtest.audit.Report;
import dev.tollgate.schema.state.OperationState;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/** An outcome for machines and for people. Stateless. */
public final class OutcomeText {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private OutcomeText() {}

  /** One JSON object on one line. */
  public static String json(Outcome outcome) {
    Report report = outcome.report();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("good", outcome.good());
    fields.put("seed", outcome.plan().seed());
    fields.put("faults", outcome.plan().faults().word());
    fields.put("workers", outcome.workers());
    fields.put("intended", report.intended());
    fields.put("published", outcome.published());
    fields.put("rows", report.rows());
    fields.put("remoteTasks", report.remoteTasks());
    fields.put("duplicates", report.duplicates());
    fields.put("lost", report.lost());
    fields.put("complete", report.in(OperationState.COMPLETE));
    fields.put("failed", report.in(OperationState.FAILED));
    fields.put("unknown", report.in(OperationState.UNKNOWN));
    fields.put("review", report.review());
    fields.put("byProvider", byProvider(report));
    fields.put("deadLetters", report.deadLetters());
    fields.put("unknownSeen", report.unknownSeen());
    fields.put("reconciledWithoutRetry", report.reconciledWithoutRetry());
    fields.put("provedAbsent", report.provedAbsent());
    fields.put("protectedRetries", report.protectedRetries());
    fields.put("staleFences", report.staleFences());
    fields.put("toldByWebhook", outcome.told().byWebhook());
    fields.put("texts", report.streamed().texts());
    fields.put("chunks", report.streamed().chunks());
    fields.put("streamsReadOn", report.streamed().resumed());
    fields.put("toldByStream", outcome.told().byStream());
    fields.put("toldByPoll", outcome.told().byPoll());
    fields.put("faultsFired", new TreeMap<>(outcome.faultsFired()));
    fields.put("notFired", outcome.notFired());
    fields.put("violations", report.violations().size());
    fields.put("problems", outcome.problems());
    fields.put("seconds", Math.round(outcome.seconds() * 10) / 10.0);
    fields.put("operationsPerSecond", Math.round(outcome.operationsPerSecond() * 10) / 10.0);
    return MAPPER.writeValueAsString(fields);
  }

  private static Map<String, Map<String, Long>> byProvider(Report report) {
    Map<String, Map<String, Long>> words = new TreeMap<>();
    report
        .byProvider()
        .forEach(
            (provider, states) ->
                new TreeMap<>(states)
                    .forEach(
                        (state, count) ->
                            words
                                .computeIfAbsent(provider, _ -> new LinkedHashMap<>())
                                .put(state.word(), count)));
    return words;
  }

  /** Several lines, the last one with its line end. */
  public static String summary(Outcome outcome) {
    Report r = outcome.report();
    StringBuilder text = new StringBuilder();
    line(
        text,
        "%d outputs were asked for, %d times in all; seed %d, faults %s, %d worker(s)",
        r.intended(),
        outcome.published(),
        outcome.plan().seed(),
        outcome.plan().faults().word(),
        outcome.workers());
    line(
        text,
        "  paid         %d remote tasks, %d of them too many, %d lost",
        r.remoteTasks(),
        r.duplicates(),
        r.lost());
    line(
        text,
        "  operations   %d complete, %d failed, %d unknown (%d wait for a person), %d dead letters",
        r.in(OperationState.COMPLETE),
        r.in(OperationState.FAILED),
        r.in(OperationState.UNKNOWN),
        r.review(),
        r.deadLetters());
    byProvider(r)
        .forEach((provider, states) -> line(text, "    %-8s   %s", provider, counts(states)));
    line(
        text,
        "  unknowns     %d seen: %d found without a retry, %d times proved absent, %d protected retries",
        r.unknownSeen(),
        r.reconciledWithoutRetry(),
        r.provedAbsent(),
        r.protectedRetries());
    line(text, "  late         %d outcomes came after their claim was lost", r.staleFences());
    line(
        text,
        "  told         %d completions by a webhook first, %d by their stream, %d by asking",
        outcome.told().byWebhook(),
        outcome.told().byStream(),
        outcome.told().byPoll());
    line(
        text,
        "  streamed     %d texts in %d chunks, read on %d times",
        r.streamed().texts(),
        r.streamed().chunks(),
        r.streamed().resumed());
    line(text, "  faults       %s", counts(new TreeMap<>(outcome.faultsFired())));
    if (!outcome.notFired().isEmpty()) {
      line(text, "  not fired    %s", String.join(", ", outcome.notFired()));
    }
    line(
        text,
        "  time         %.1f s, %.1f operations per second",
        outcome.seconds(),
        outcome.operationsPerSecond());
    if (outcome.good()) {
      line(text, "good: nothing was paid twice, nothing was lost, every rule held");
    } else {
      line(text, "NOT GOOD:");
      outcome.problems().forEach(problem -> line(text, "  %s", problem));
    }
    return text.toString();
  }

  @FormatMethod
  private static void line(StringBuilder text, @FormatString String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String counts(Map<String, Long> counts) {
    StringJoiner words = new StringJoiner(", ");
    words.setEmptyValue("none");
    counts.forEach((name, count) -> words.add(name + " " + count));
    return words.toString();
  }
}
