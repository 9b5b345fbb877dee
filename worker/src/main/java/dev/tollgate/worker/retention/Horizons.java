package dev.tollgate.worker.retention;

import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import dev.tollgate.schema.kafka.KeptMessages;
import dev.tollgate.worker.loop.Step;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderTiming;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The horizons, asked for anew with each round. {@link #runOnce} is confined to one thread; the
 * answers may be read from any.
 */
public final class Horizons implements Step {
  private static final Logger log = LoggerFactory.getLogger(Horizons.class);

  private final TollgateConfig config;
  private final Map<String, ProviderTiming> providers;
  private final Brokers brokers;

  /** Written by the thread of the rounds; null until the brokers have answered. */
  private volatile @Nullable Known known;

  /** Asks how long topics keep messages. */
  @FunctionalInterface
  public interface Brokers {
    List<KeptMessages> ask() throws InterruptedException;
  }

  /**
   * What holds now.
   *
   * @param otherwise for a provider that is not configured any more: the longest
   */
  public record Known(Map<String, Horizon> byProvider, Horizon otherwise) {
    public Known {
      byProvider = Map.copyOf(byProvider);
    }

    public Horizon of(String provider) {
      return byProvider.getOrDefault(provider, otherwise);
    }
  }

  Horizons(TollgateConfig config, Map<String, ProviderTiming> providers, Brokers brokers) {
    this.config = config;
    this.providers = Map.copyOf(providers);
    this.brokers = brokers;
  }

  /**
   * Of the configured providers, and of the topics in which an operation's message may be read.
   *
   * @param adapters whose timing counts
   */
  public static Horizons of(
      TollgateConfig config, Collection<ProviderAdapter> adapters, Clients kafka) {
    Topics topics = new Topics(config.kafka().topicPrefix());
    List<String> read = List.of(topics.requests(), topics.requestsDlt(), topics.reconcileDlt());
    Map<String, ProviderTiming> timings = new TreeMap<>();
    adapters.forEach(adapter -> timings.put(adapter.profile().name(), adapter.profile().timing()));
    return new Horizons(config, timings, () -> KeptMessages.of(kafka, read));
  }

  /** Asks the brokers; always false. */
  @Override
  public boolean runOnce() throws InterruptedException {
    List<KeptMessages> topics = brokers.ask();
    Known now = of(topics);
    if (!now.equals(known)) {
      tell(now, topics);
    }
    known = now;
    return false;
  }

  /** Empty until the brokers have answered once. */
  public Optional<Known> known() {
    return Optional.ofNullable(known);
  }

  private Known of(List<KeptMessages> topics) {
    Horizon all = Horizon.ofAll(config.retention(), config.webhooks(), topics);
    Map<String, Horizon> byProvider = new TreeMap<>();
    Horizon longest = all;
    for (Map.Entry<String, ProviderTiming> provider : providers.entrySet()) {
      Horizon horizon = all.and(provider.getValue());
      byProvider.put(provider.getKey(), horizon);
      longest = longest.or(horizon);
    }
    return new Known(byProvider, longest);
  }

  private static void tell(Known now, List<KeptMessages> topics) {
    now.byProvider()
        .forEach(
            (provider, horizon) ->
                log.info(
                    "what ended at {} is kept whole for {}, because of {}; older requests are"
                        + " refused unless their key is known",
                    provider,
                    horizon.time(),
                    horizon.because()));
    for (KeptMessages topic : topics) {
      if (topic instanceof KeptMessages.Unbounded(String name, String why)) {
        log.warn(
            "topic {} keeps messages longer than anything that can be counted on ({}): those that"
                + " are older than the horizon are answered by the tombstone of their key, or"
                + " refused as TOO_OLD",
            name,
            why);
      }
    }
  }
}
