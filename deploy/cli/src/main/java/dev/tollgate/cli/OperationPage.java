package dev.tollgate.cli;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.OperationDetails;
import dev.tollgate.schema.store.OperationSummary;
import dev.tollgate.schema.store.StoredOutput;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.send.Sender;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * One operation for a person to read.
 *
 * @param limits of attempts and of generations
 * @param contents whether parameters and bodies are shown
 * @param stream where its streamed text is read; null if it is not configured
 */
record OperationPage(
    OperationDetails details, Limits limits, boolean contents, @Nullable String stream) {
  void print(PrintWriter out) {
    head(out);
    out.println();
    out.println("attempts");
    if (details.attempts().isEmpty()) {
      out.println("  none yet");
    }
    details.attempts().forEach(attempt -> attempt(out, attempt));
    out.println();
    out.println("evidence");
    int older = details.evidenceCount() - details.evidence().size();
    if (older > 0) {
      out.println("  " + older + " older pieces are not shown");
    }
    if (details.evidenceCount() == 0) {
      out.println("  none yet");
    }
    details.evidence().forEach(seen -> evidence(out, seen));
  }

  private void head(PrintWriter out) {
    OperationSummary summary = details.summary();
    OperationDetails.Intent intent = details.intent();
    field(out, "operation", summary.key().toString());
    String reason = summary.reason() == null ? "" : " (" + summary.reason() + ")";
    field(
        out,
        "state",
        summary.state().word() + reason + ", since " + Shown.time(summary.changedAt()));
    if (summary.review() != null) {
      field(out, "review", summary.review() + ": waits for a person's decision");
    }
    if (summary.reason() == Code.BUDGET_EXHAUSTED && summary.state() == OperationState.PREPARED) {
      field(out, "waits", "to send it would break a budget (see `tollgate budgets`)");
    }
    OperationSummary.Next next = summary.next();
    if (next != null) {
      field(out, "next", next.role() + ", due " + Shown.time(next.at()));
    }
    field(out, "provider", summary.provider());
    field(out, "attempts", "%d of at most %d".formatted(summary.attempts(), limits.attempts()));
    field(out, "remote id", Shown.line(summary.remoteId()));
    field(out, "reference", Sender.submissionKey(intent.submissionKey()));
    field(out, "dimensions", Shown.line(intent.dimensions()));
    generations(out);
    if (contents) {
      field(out, "params", Shown.line(new String(intent.params(), StandardCharsets.UTF_8)));
    }
    optional(out, "task", intent.productionTask());
    optional(out, "producer", intent.producer());
    Long price = intent.price();
    optional(out, "price", price == null ? null : new Money(price).toString());
    optional(out, "deadline", intent.deadline() == null ? null : Shown.time(intent.deadline()));
    field(
        out,
        "taken in",
        "%s from partition %s, offset %s"
            .formatted(
                Shown.time(summary.createdAt()),
                String.valueOf(intent.sourcePartition()),
                String.valueOf(intent.sourceOffset())));
    optional(out, "stream", stream);
    StoredOutput output = details.output();
    if (output != null) {
      field(out, "output", Shown.line(output.address()));
      field(
          out,
          "",
          "%s bytes, sha256 %s, stored %s"
              .formatted(
                  String.valueOf(output.length()),
                  HexFormat.of().formatHex(output.sha256()),
                  Shown.time(details.outputStoredAt())));
    }
  }

  /** Which try of its output it is, and where the others stand. */
  private void generations(PrintWriter out) {
    OperationDetails.Intent intent = details.intent();
    field(
        out,
        "generation",
        "%d of at most %d%s"
            .formatted(
                intent.generation(),
                limits.generations(),
                limits.policy() > 1 ? ", by policy %d".formatted(limits.policy()) : ""));
    Retry retry = intent.retry();
    if (retry != null) {
      field(out, "retry of", retry.of().toString());
      String by = retry.by() == null ? "its producer" : retry.by();
      field(
          out,
          "",
          "asked for by "
              + Shown.line(by)
              + (retry.why() == null ? "" : ": " + Shown.line(retry.why())));
    }
    for (OperationDetails.Generation other : details.generations()) {
      if (other.number() != intent.generation()) {
        field(
            out,
            other.number() < intent.generation() ? "earlier" : "later",
            "generation %d, %s: %s".formatted(other.number(), other.state().word(), other.key()));
      }
    }
  }

  private static void attempt(PrintWriter out, OperationDetails.Attempt attempt) {
    List<String> carried = Recourse.words(attempt.carried());
    out.printf(
        Locale.ROOT,
        "  %s  fence %d  by %s  to be sent before %s  absence proves something after %s%s%n",
        Shown.time(attempt.beganAt()),
        attempt.fence(),
        Shown.line(attempt.owner()),
        Shown.time(attempt.sendDeadline()),
        Shown.time(attempt.absentAfter()),
        carried.isEmpty() ? "" : "  carried " + String.join(", ", carried));
  }

  private void evidence(PrintWriter out, OperationDetails.Seen seen) {
    StringJoiner line = new StringJoiner("  ", "  ", "");
    line.add(Shown.time(seen.at()));
    line.add("fence " + seen.fence());
    line.add(String.format(Locale.ROOT, "%-10s", seen.source()));
    line.add(seen.code().name());
    if (seen.status() != null) {
      line.add("status " + seen.status());
    }
    if (seen.remoteId() != null) {
      line.add("remote id " + Shown.line(seen.remoteId()));
    }
    if (seen.note() != null) {
      line.add(Shown.line(seen.note()));
    }
    out.println(line);
    byte[] body = seen.body();
    if (contents && body != null) {
      out.println("      " + Shown.line(Shown.bytes(body)) + (seen.truncated() ? " (cut)" : ""));
    }
  }

  private static void optional(PrintWriter out, String name, @Nullable String value) {
    if (value != null) {
      field(out, name, Shown.line(value));
    }
  }

  private static void field(PrintWriter out, String name, String value) {
    out.printf(Locale.ROOT, "%-11s %s%n", name, value);
  }
}
