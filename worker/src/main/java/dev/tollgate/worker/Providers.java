package dev.tollgate.worker;

import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.described.CallbackAddresses;
import dev.tollgate.worker.provider.described.DescribedConfig;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.http.Deadlines;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The configured providers' adapters, and the thread that ends calls whose time is over.
 * Thread-safe.
 */
public final class Providers implements AutoCloseable {
  private static final byte[] NO_INSTALLATION = new byte[32];

  private final Deadlines deadlines = new Deadlines();
  private final List<ProviderAdapter> adapters = new ArrayList<>();

  /**
   * Opens an adapter for each provider.
   *
   * @param secret the installation's: it makes callback addresses
   * @throws ConfigFile.Invalid naming everything that is wrong with any of them
   */
  public Providers(
      TollgateConfig config, byte[] secret, InstantSource clock, LongSupplier nanoTime) {
    CallbackAddresses addresses = new CallbackAddresses(secret);
    ProviderOpener opener =
        new ProviderOpener(
            new Catalogue(config.providersFolder()),
            config.callbacks().map(base -> new DescribedConfig.Callbacks(base, addresses)),
            System::getenv,
            nanoTime,
            clock,
            deadlines,
            config.outputs().folder().resolve(".answers"));
    List<String> faults = new ArrayList<>();
    for (Map.Entry<String, ProviderConfig> provider :
        new TreeMap<>(config.providers()).entrySet()) {
      String name = provider.getKey();
      opener.open(name, provider.getValue(), new Faults(name, faults)).ifPresent(adapters::add);
    }
    if (!faults.isEmpty()) {
      close();
      throw ConfigFile.Invalid.of(faults);
    }
  }

  /**
   * Looks whether they can be opened, which connects to nothing.
   *
   * @throws ConfigFile.Invalid naming everything that is wrong with any of them
   */
  public static void check(TollgateConfig config, InstantSource clock, LongSupplier nanoTime) {
    new Providers(config, NO_INSTALLATION, clock, nanoTime).close();
  }

  public List<ProviderAdapter> adapters() {
    return List.copyOf(adapters);
  }

  @Override
  public void close() {
    adapters.forEach(ProviderAdapter::close);
    deadlines.close();
  }
}
