package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.HttpSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Builds what the tests of this package need. */
final class Adapters {
  static final String API_KEY = "sk-canary/0123+456789";
  static final String SUBMISSION_KEY = "tg-0123456789abcdef0123456789abcdef";

  /** Longer than any answer of a test server takes on a busy machine. */
  static final Duration PLENTY = Duration.ofSeconds(20);

  static final Deadlines DEADLINES = new Deadlines();

  private Adapters() {}

  static ProviderProfile profile(Recourse recourse, int concurrency) {
    return new ProviderProfile(
        "sandbox",
        List.of(recourse),
        concurrency,
        new ProviderTiming(
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Optional.of(Duration.ofHours(24)),
            Optional.empty(),
            Duration.ofHours(1)));
  }

  static HttpSettings usual(int concurrency) {
    return new HttpSettings(
        HttpProtocol.HTTP_1_1,
        concurrency,
        Duration.ofSeconds(3),
        Duration.ofSeconds(45),
        Duration.ofMillis(100));
  }

  /** A submission that is sent at once and whose answer is awaited for {@code patience}. */
  static Submission submission(Duration patience) {
    return submission(System.nanoTime(), patience, patience);
  }

  static Submission submission(long now, Duration sendWithin, Duration answerWithin) {
    return new Submission(
        "video:" + "0".repeat(64),
        "{\"prompt\":\"a red kite\"}".getBytes(StandardCharsets.UTF_8),
        SUBMISSION_KEY,
        now + sendWithin.toNanos(),
        now + answerWithin.toNanos());
  }
}
