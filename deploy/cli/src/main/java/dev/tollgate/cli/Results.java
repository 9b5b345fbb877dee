package dev.tollgate.cli;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tollgate.schema.client.ClientException;
import dev.tollgate.schema.client.Result;
import dev.tollgate.schema.client.Submission;
import dev.tollgate.schema.event.ResultEvent;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Prints what became of each request, in the order in which it is heard. Thread-safe. */
final class Results {
  private final PrintWriter out;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final List<CompletableFuture<Void>> told = new ArrayList<>();

  @GuardedBy("lock")
  private int complete;

  @GuardedBy("lock")
  private int failed;

  @GuardedBy("lock")
  private int refused;

  @GuardedBy("lock")
  private int untold;

  Results(PrintWriter out) {
    this.out = out;
  }

  /** Tells the result of a request once it is there. */
  void expect(Submission submission) {
    CompletableFuture<Void> done =
        submission
            .result()
            .handle(
                (result, failure) -> {
                  if (result != null) {
                    tell(result);
                  } else if (!(failure instanceof ClientException.NotPublished)) {
                    notTold(); // what was not published is told by its acknowledgement
                  }
                  return null;
                });
    synchronized (lock) {
      told.add(done);
    }
  }

  private void notTold() {
    synchronized (lock) {
      untold++;
    }
  }

  private void tell(Result result) {
    synchronized (lock) {
      switch (result) {
        case Result.Completed _ -> complete++;
        case Result.Failed _ -> failed++;
        case Result.Refused _ -> refused++;
      }
      out.println(line(result));
      out.flush();
    }
  }

  private static String line(Result result) {
    return switch (result) {
      case Result.Completed completed -> {
        ResultEvent.Output output = completed.output();
        ResultEvent.Price price = completed.event().details().price();
        yield "complete %s %s sha256:%s %d bytes%s"
            .formatted(
                completed.key(),
                output.address(),
                output.digest(),
                output.length(),
                price == null ? "" : ", " + price.amount() + " " + price.currency());
      }
      case Result.Failed failed ->
          "failed %s %s".formatted(failed.key(), why(failed.code(), failed.reason()));
      case Result.Refused refused ->
          "refused %s %s".formatted(refused.key(), why(refused.code(), refused.message()));
    };
  }

  private static String why(@Nullable Enum<?> code, @Nullable String words) {
    String name = code == null ? "for a reason that this build does not know" : code.name();
    return words == null || words.isEmpty() ? name : name + ": " + words;
  }

  /**
   * Waits until everything is told.
   *
   * @param within null to wait as long as it takes
   * @return false if the time was up before
   */
  boolean await(@Nullable Duration within) {
    CompletableFuture<Void> all;
    synchronized (lock) {
      all = CompletableFuture.allOf(told.toArray(new CompletableFuture<?>[0]));
    }
    try {
      if (within == null) {
        all.get();
      } else {
        all.get(within.toNanos(), TimeUnit.NANOSECONDS);
      }
      return true;
    } catch (TimeoutException _) {
      return false;
    } catch (ExecutionException e) {
      throw Failure.refused("a result could not be printed: " + Explanation.said(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.refused("interrupted: what was published goes on", e);
    }
  }

  /** One line of counts, when nothing more is told. */
  void summary() {
    synchronized (lock) {
      out.println(
          "%d complete, %d failed, %d refused, %d not told yet"
              .formatted(complete, failed, refused, untold));
      out.flush();
    }
  }

  int exitCode() {
    synchronized (lock) {
      return failed + refused + untold == 0 ? 0 : Failure.REFUSED;
    }
  }
}
