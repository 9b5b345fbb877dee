package dev.tollgate.cli;

import dev.tollgate.schema.event.Refused;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * What became of each line, told in the order of the lines. Bounded: past a number of sends under
 * way it waits for the oldest. Not for use by several threads.
 */
final class Acknowledgements {
  private static final int UNDER_WAY_MAX = 10_000;

  private record Sent(long line, String key, Future<?> acknowledged) {}

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean verbose;
  private final Deque<Sent> underWay = new ArrayDeque<>();
  private long acknowledged;
  private long refused;
  private long failed;

  Acknowledgements(PrintWriter out, PrintWriter err, boolean verbose) {
    this.out = out;
    this.err = err;
    this.verbose = verbose;
  }

  void refused(Lines.Line line, Refused refusal) {
    refused++;
    err.println(KeyCommand.refusal(line, refusal));
    err.flush();
  }

  void sent(Lines.Line line, String key, Future<?> acknowledgement) {
    underWay.add(new Sent(line.number(), key, acknowledgement));
    while (!underWay.isEmpty()
        && (underWay.size() > UNDER_WAY_MAX || underWay.element().acknowledged().isDone())) {
      await(underWay.remove());
    }
  }

  void awaitAll() {
    while (!underWay.isEmpty()) {
      await(underWay.remove());
    }
  }

  private void await(Sent sent) {
    try {
      sent.acknowledged().get();
      acknowledged++;
      if (verbose) {
        out.println(sent.key());
      }
    } catch (ExecutionException e) {
      failed++;
      Throwable cause = e.getCause() == null ? e : e.getCause();
      err.println(
          "line %s: %s not acknowledged: %s"
              .formatted(String.valueOf(sent.line()), sent.key(), Explanation.said(cause)));
      err.flush();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.refused("interrupted: what was not acknowledged may have been sent or not", e);
    }
  }

  /** One line of counts. */
  void summary(String topic) {
    failed += underWay.size();
    underWay.clear();
    out.println(
        "%s acknowledged by %s, %s refused, %s not acknowledged"
            .formatted(
                String.valueOf(acknowledged),
                topic,
                String.valueOf(refused),
                String.valueOf(failed)));
    out.flush();
  }

  int exitCode() {
    return refused == 0 && failed == 0 ? 0 : Failure.REFUSED;
  }
}
