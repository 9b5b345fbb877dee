package dev.tollgate.reconciler.look;

import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.send.BreakerPolicy;
import dev.tollgate.worker.send.Protection;
import dev.tollgate.worker.send.SendListener;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * How many looks may be under way at each provider: none while it does not answer, then one, two,
 * four, up to all, as its answers come. After an outage everything that became unknown is due at
 * once; so the first questions find out whether somebody is there, and the rest follows as fast as
 * it is answered. What waits meanwhile costs no look, no evidence and no question, and no limit of
 * retries knows of it. Thread-safe.
 */
public final class LookPace {
  private final Map<String, Protection> protections = new LinkedHashMap<>();
  private final List<ProviderAdapter> adapters;
  private final int concurrency;

  /**
   * @param concurrency most looks at once at a provider that answers
   * @param opened hears the provider and the cause whenever one is left alone
   * @param random for jitter, so that reconcilers do not come back together
   */
  public LookPace(
      Collection<ProviderAdapter> adapters,
      BreakerPolicy policy,
      int concurrency,
      BiConsumer<String, String> opened,
      LongSupplier nanoTime,
      RandomGenerator random) {
    this.concurrency = concurrency;
    for (ProviderAdapter adapter : adapters) {
      String provider = adapter.profile().name();
      SendListener listener =
          new SendListener() {
            @Override
            public void breakerOpened(String looks, String cause) {
              opened.accept(provider, cause);
            }
          };
      protections.put(
          provider,
          new Protection(
              "looks at " + provider, concurrency, false, policy, listener, nanoTime, random));
    }
    this.adapters =
        adapters.stream()
            .map(
                adapter -> {
                  Protection protection = protections.get(adapter.profile().name());
                  return protection == null
                      ? adapter
                      : (ProviderAdapter) new HeardAdapter(adapter, protection, nanoTime);
                })
            .toList();
  }

  /** The same adapters; what they are asked through these is heard. */
  public List<ProviderAdapter> adapters() {
    return adapters;
  }

  /** Most looks at once. */
  public int width(String provider) {
    Protection protection = protections.get(provider);
    return protection == null ? concurrency : protection.width();
  }

  /** Whether nothing is held back anywhere for a reason that lies with the provider. */
  boolean isSteady() {
    return protections.values().stream()
        .allMatch(
            protection ->
                protection.held(Protection.Cause.UNKNOWN) == 0
                    && protection.held(Protection.Cause.THROTTLED) == 0
                    && protection.held(Protection.Cause.ASKED) == 0);
  }

  /** The share of a provider's looks that is held back now because of this, from 0 to 1. */
  public double held(String provider, Protection.Cause cause) {
    Protection protection = protections.get(provider);
    return protection == null ? 0 : protection.held(cause);
  }
}
