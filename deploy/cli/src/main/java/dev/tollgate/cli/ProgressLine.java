package dev.tollgate.cli;

import dev.tollgate.loadtest.demo.Progress;
import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Progress for people: one line that is rewritten on a terminal, a line now and then elsewhere. Not
 * for use by several threads.
 */
final class ProgressLine implements Consumer<Progress> {
  /** Elsewhere than on a terminal: often enough to see that it lives. */
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final PrintWriter out;
  private final boolean rewrites;
  private final LongSupplier nanoTime;
  private long lastShown;
  private boolean underWay;

  private ProgressLine(PrintWriter out, boolean rewrites, LongSupplier nanoTime) {
    this.out = out;
    this.rewrites = rewrites;
    this.nanoTime = nanoTime;
    this.lastShown = nanoTime.getAsLong() - EVERY.toNanos();
  }

  /**
   * @param mayRewrite whether the line may be rewritten where that shows
   */
  static ProgressLine on(PrintWriter out, boolean mayRewrite, LongSupplier nanoTime) {
    boolean terminal =
        Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    return new ProgressLine(out, mayRewrite && terminal, nanoTime);
  }

  /** A line of its own. */
  void say(String line) {
    end();
    out.println(line);
    out.flush();
  }

  @Override
  public void accept(Progress progress) {
    show(progress.toString());
  }

  /** How far it is now. */
  void show(String progress) {
    if (rewrites) {
      // to the line's begin, no wrapping; clear the rest, wrap again
      out.print("\r\u001b[?7l" + progress + "\u001b[K\u001b[?7h");
      underWay = true;
    } else if (nanoTime.getAsLong() - lastShown >= EVERY.toNanos()) {
      lastShown = nanoTime.getAsLong();
      out.println(progress);
    }
    out.flush();
  }

  /** Leaves the line that was rewritten. */
  void end() {
    if (underWay) {
      out.println();
      out.flush();
      underWay = false;
    }
  }
}
