package dev.tollgate.loadtest.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * How one sandbox runs. Immutable.
 *
 * @param port port on 127.0.0.1; 0 takes a free one
 * @param ledger the ledger's file; goes on with what it holds
 * @param apiKey the bearer token that every task request must carry
 * @param seed seed of the fault plan and of task ids
 * @param faults how much the plan misbehaves
 * @param answerDelay time between a task request and its orderly answer
 * @param idleTimeout a connection without a complete request head for that long is closed
 * @param renderTime time from a task's creation to its end
 * @param wordPause time between two events of a streamed text
 * @param outputBytes size of each output; raised to the smallest valid picture
 * @param reporting what it reports by itself
 * @param clock creation times, visibility and task life
 */
public record SandboxOptions(
    int port,
    Path ledger,
    String apiKey,
    long seed,
    FaultPreset faults,
    Duration answerDelay,
    Duration idleTimeout,
    Duration renderTime,
    Duration wordPause,
    int outputBytes,
    Reporting reporting,
    InstantSource clock) {

  /** Largest output the sandbox makes; outputs are built in memory. */
  private static final int OUTPUT_BYTES_MAX = 64 << 20;

  public SandboxOptions {
    List<String> errors = new ArrayList<>();
    check(errors, port >= 0 && port <= 65535, "port must be 0..65535");
    check(errors, !apiKey.isBlank(), "api key must not be blank");
    check(errors, !answerDelay.isNegative(), "answer delay must not be negative");
    check(errors, idleTimeout.toMillis() > 0, "idle timeout must be at least 1 ms");
    check(errors, !wordPause.isNegative(), "word pause must not be negative");
    check(errors, !renderTime.isNegative(), "render time must not be negative");
    check(
        errors,
        outputBytes >= 0 && outputBytes <= OUTPUT_BYTES_MAX,
        "output bytes must be 0.." + OUTPUT_BYTES_MAX);
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException("sandbox not started: " + String.join("; ", errors));
    }
  }

  private static void check(List<String> errors, boolean holds, String error) {
    if (!holds) {
      errors.add(error);
    }
  }

  /**
   * No faults, a free port, answers at once, 2 s idle timeout, 300 ms render time, no pause between
   * words, 512 bytes, reports on request.
   */
  public static SandboxOptions of(Path ledger) {
    return new SandboxOptions(
        0,
        ledger,
        "sandbox-key",
        1,
        FaultPreset.NONE,
        Duration.ZERO,
        Duration.ofSeconds(2),
        Duration.ofMillis(300),
        Duration.ZERO,
        512,
        Reporting.onRequest(),
        InstantSource.system());
  }

  /** The same with another port. */
  public SandboxOptions withPort(int value) {
    return new SandboxOptions(
        value,
        ledger,
        apiKey,
        seed,
        faults,
        answerDelay,
        idleTimeout,
        renderTime,
        wordPause,
        outputBytes,
        reporting,
        clock);
  }

  /** The same with another bearer token. */
  public SandboxOptions withApiKey(String value) {
    return new SandboxOptions(
        port,
        ledger,
        value,
        seed,
        faults,
        answerDelay,
        idleTimeout,
        renderTime,
        wordPause,
        outputBytes,
        reporting,
        clock);
  }

  /** The same with another plan. */
  public SandboxOptions withFaults(long newSeed, FaultPreset preset) {
    return new SandboxOptions(
        port,
        ledger,
        apiKey,
        newSeed,
        preset,
        answerDelay,
        idleTimeout,
        renderTime,
        wordPause,
        outputBytes,
        reporting,
        clock);
  }

  /** The same with another answer delay. */
  public SandboxOptions withAnswerDelay(Duration value) {
    return new SandboxOptions(
        port,
        ledger,
        apiKey,
        seed,
        faults,
        value,
        idleTimeout,
        renderTime,
        wordPause,
        outputBytes,
        reporting,
        clock);
  }

  /** The same with another idle timeout. */
  public SandboxOptions withIdleTimeout(Duration value) {
    return new SandboxOptions(
        port,
        ledger,
        apiKey,
        seed,
        faults,
        answerDelay,
        value,
        renderTime,
        wordPause,
        outputBytes,
        reporting,
        clock);
  }

  /** The same with another render time. */
  public SandboxOptions withRenderTime(Duration value) {
    return new SandboxOptions(
        port,
        ledger,
        apiKey,
        seed,
        faults,
        answerDelay,
        idleTimeout,
        value,
        wordPause,
        outputBytes,
        reporting,
        clock);
  }

  /** The same with another pause between the events of a text. */
  public SandboxOptions withWordPause(Duration value) {
    return new SandboxOptions(
        port,
        ledger,
        apiKey,
        seed,
        faults,
        answerDelay,
        idleTimeout,
        renderTime,
        value,
        outputBytes,
        reporting,
        clock);
  }

  /** The same with another output size. */
  public SandboxOptions withOutputBytes(int value) {
    return new SandboxOptions(
        port,
        ledger,
        apiKey,
        seed,
        faults,
        answerDelay,
        idleTimeout,
        renderTime,
        wordPause,
        value,
        reporting,
        clock);
  }

  /** The same with other reports. */
  public SandboxOptions withReporting(Reporting value) {
    return new SandboxOptions(
        port,
        ledger,
        apiKey,
        seed,
        faults,
        answerDelay,
        idleTimeout,
        renderTime,
        wordPause,
        outputBytes,
        value,
        clock);
  }

  /** The same with another clock. */
  public SandboxOptions withClock(InstantSource value) {
    return new SandboxOptions(
        port,
        ledger,
        apiKey,
        seed,
        faults,
        answerDelay,
        idleTimeout,
        renderTime,
        wordPause,
        outputBytes,
        reporting,
        value);
  }

  /** The same without the token. */
  @Override
  public String toString() {
    return "port=%d ledger=%s seed=%d faults=%s answerDelay=%s idleTimeout=%s renderTime=%s wordPause=%s outputBytes=%d reports=[%s]"
        .formatted(
            port,
            ledger,
            seed,
            faults,
            answerDelay,
            idleTimeout,
            renderTime,
            wordPause,
            outputBytes,
            reporting);
  }
}
