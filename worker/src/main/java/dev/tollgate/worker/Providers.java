package dev.tollgate.worker;

import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.ProviderTiming;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.Secret;
import dev.tollgate.worker.provider.TaskApiAdapter;
import dev.tollgate.worker.provider.http.Deadlines;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The configured providers' adapters, and the thread that ends calls whose time is over.
 * Thread-safe.
 */
public final class Providers implements AutoCloseable {
  private final Deadlines deadlines = new Deadlines();
  private final List<ProviderAdapter> adapters = new ArrayList<>();

  public Providers(Map<String, TollgateConfig.Provider> configured, LongSupplier nanoTime) {
    configured.forEach(
        (name, provider) ->
            adapters.add(TaskApiAdapter.open(profile(name, provider), nanoTime, deadlines)));
  }

  public List<ProviderAdapter> adapters() {
    return List.copyOf(adapters);
  }

  private static ProviderProfile profile(String name, TollgateConfig.Provider provider) {
    return new ProviderProfile(
        name,
        provider.endpoint(),
        Secret.of(provider.apiKey()),
        recourse(name, provider.recourse()),
        provider.concurrency(),
        new ProviderTiming(
            provider.submitDeadline(),
            provider.connectionLife(),
            provider.longestHold(),
            provider.visibilityLag(),
            provider.promiseRetention()));
  }

  private static Recourse recourse(String name, String word) {
    try {
      return Recourse.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "provider %s: recourse %s is none of idempotent-create, lookup-by-reference, list-by-time, none"
              .formatted(name, word),
          e);
    }
  }

  @Override
  public void close() {
    adapters.forEach(ProviderAdapter::close);
    deadlines.close();
  }
}
