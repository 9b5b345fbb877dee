package dev.tollgate.worker.provider.spi;

import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.Secret;
import dev.tollgate.worker.provider.http.Deadlines;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Makes adapters for what a descriptor cannot say. Found by {@link java.util.ServiceLoader}; the
 * configuration asks for one by {@code tollgate.providers.NAME.adapter}. It has to pass the same
 * contract suite as a descriptor does.
 */
public interface ProviderAdapterFactory {
  /** The name by which configurations ask for it. */
  String name();

  /**
   * Opens an adapter; connects with its first call.
   *
   * @throws IllegalArgumentException if it cannot work with what is configured; the message says
   *     what is missing
   */
  ProviderAdapter open(Context context);

  /**
   * What an adapter is given.
   *
   * @param profile as configured
   * @param endpoint the base address
   * @param settings by name
   * @param secrets a credential by its name; to be asked for each request, since credentials rotate
   * @param nanoTime the monotonic clock that deadlines are readings of
   * @param clock for times that requests carry
   * @param deadlines the process's deadline thread; outlives the adapter
   */
  record Context(
      ProviderProfile profile,
      URI endpoint,
      Map<String, String> settings,
      Function<String, Secret> secrets,
      LongSupplier nanoTime,
      InstantSource clock,
      Deadlines deadlines) {}
}
