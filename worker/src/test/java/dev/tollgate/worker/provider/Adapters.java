package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.described.DescribedAdapter;
import dev.tollgate.worker.provider.described.DescribedConfig;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.DescriptorReader;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.HttpSettings;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/** Builds what the tests of this package need. */
final class Adapters {
  static final String API_KEY = "sk-canary/0123+456789";
  static final String SUBMISSION_KEY = "tg-0123456789abcdef0123456789abcdef";

  /** Longer than any answer of a test server takes on a busy machine. */
  static final Duration PLENTY = Duration.ofSeconds(20);

  /** For descriptors whose answers are no results. */
  static final DescribedConfig.KeptIn NOWHERE =
      new DescribedConfig.KeptIn(Path.of("unused"), InstantSource.system());

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
            Duration.ofHours(1)),
        DocumentedLimits.NONE,
        new SendsTo("here", "test"));
  }

  /** An adapter for a shipped descriptor, or for what a test made of one. */
  static ProviderAdapter described(
      Descriptor descriptor, URI base, Recourse recourse, DescribedConfig.KeptIn kept) {
    return described(descriptor, base, recourse, kept, usual(4), System::nanoTime);
  }

  static ProviderAdapter described(
      Descriptor descriptor,
      URI base,
      Recourse recourse,
      DescribedConfig.KeptIn kept,
      HttpSettings settings,
      LongSupplier nanoTime) {
    Map<String, String> defaults = new HashMap<>();
    descriptor
        .settings()
        .forEach((name, rule) -> rule.otherwise().ifPresent(value -> defaults.put(name, value)));
    String path = base.getRawPath().replaceAll("/+$", "");
    return DescribedAdapter.open(
        descriptor,
        new DescribedConfig(
            profile(recourse, settings.maxConnections()),
            URI.create(base.getScheme() + "://" + base.getRawAuthority() + path),
            DescribedConfig.settings(defaults),
            Credentials.open(
                "sandbox", Map.of("api-key", "env:KEY"), _ -> API_KEY, System::nanoTime),
            Optional.empty(),
            List.of(),
            kept,
            OptionalInt.of(100)),
        Optional.empty(),
        settings,
        new DescribedAdapter.Patience(Duration.ofSeconds(5), PLENTY),
        nanoTime,
        DEADLINES);
  }

  /** A shipped descriptor, with one part of its text replaced. */
  static Descriptor descriptor(String name, String part, String by) {
    String text = new Catalogue(Optional.empty()).find(name).orElseThrow().text();
    return DescriptorReader.read(text.replace(part, by)).descriptor().orElseThrow();
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
