package dev.tollgate.loadtest.sandbox;

import dev.tollgate.loadtest.sandbox.Reply.Manner;
import dev.tollgate.loadtest.sandbox.Reply.Streamed;
import dev.tollgate.loadtest.sandbox.Reply.Whole;
import dev.tollgate.loadtest.sandbox.StreamPlan.Fate;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;

/** Answers with streams of text: the create's own, and those that go on with one. Thread-safe. */
final class Texts {
  private final StreamPlan plan;
  private final TaskBook book;
  private final LedgerWriter ledger;
  private final InstantSource clock;

  Texts(SandboxOptions options, TaskBook book, LedgerWriter ledger) {
    this.plan = new StreamPlan(options.seed(), options.faults());
    this.book = book;
    this.ledger = ledger;
    this.clock = options.clock();
  }

  /** The answer to the create that made a task. */
  Manner first(SandboxTask task) {
    return streamed(task, 0, fate(task));
  }

  /** The same, cut after so many bytes of all that is sent. */
  Manner cut(SandboxTask task, int bytes) {
    task.answers.incrementAndGet();
    return new Streamed(stream(task), task.createdAtMs, 0, -1, bytes);
  }

  /** The answer to one who asks for a stream again, from behind the event that he names. */
  Manner resumed(String id, Map<String, String> query) {
    SandboxTask task = book.byId(id);
    if (task == null || task.kind != Kind.TEXT || !task.visible(clock.millis())) {
      return new Whole(HttpAnswer.error(404, "not_found", "there is no such response"));
    }
    if (!"true".equals(query.get("stream"))) {
      return new Whole(HttpAnswer.error(400, "invalid_request", "only streams are served"));
    }
    int from;
    try {
      from = Integer.parseInt(query.getOrDefault("starting_after", "-1")) + 1;
    } catch (NumberFormatException _) {
      return new Whole(HttpAnswer.error(400, "invalid_request", "starting_after is no number"));
    }
    Fate fate = fate(task);
    if (fate.unavailable()) {
      return new Whole(HttpAnswer.gateway(503));
    }
    ledger.resumed(id, from);
    return streamed(task, Math.max(0, from - fate.back()), fate);
  }

  private Fate fate(SandboxTask task) {
    String input = Objects.requireNonNull(task.inputJson, task.id);
    return plan.choose(input, task.answers.getAndIncrement());
  }

  private static Manner streamed(SandboxTask task, int from, Fate fate) {
    TextStream stream = stream(task);
    int left = Math.max(0, stream.events() - from);
    int repeated = fate.repeated() < 0 ? -1 : from + (int) (fate.repeated() * left);
    Streamed whole = new Streamed(stream, task.createdAtMs, from, repeated, Long.MAX_VALUE);
    return fate.share() == 1 ? whole : whole.cut((long) (fate.share() * Streaming.length(whole)));
  }

  private static TextStream stream(SandboxTask task) {
    return TextStream.of(task.id, task.fails);
  }
}
