package dev.tollgate.worker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * What a configuration makes of a provider, before its credentials are read and it is opened.
 * Immutable.
 *
 * @param endpoint the base address, without a slash at its end
 * @param described absent where an adapter is code
 */
public record ConfiguredProvider(
    ProviderProfile profile, URI endpoint, Optional<Described> described) {

  /**
   * A descriptor in use.
   *
   * @param place where it is, for people
   * @param settings by name, defaults filled in, as expressions see them; not to be changed
   */
  public record Described(Descriptor descriptor, String place, ObjectNode settings) {}

  /**
   * Reads a provider's configuration.
   *
   * @param callbacksReachUs whether providers can report to this installation
   * @param faults gets everything that is wrong with it, its credentials apart
   * @return none if anything is
   */
  public static Optional<ConfiguredProvider> read(
      String name,
      ProviderConfig config,
      Catalogue catalogue,
      boolean callbacksReachUs,
      List<String> faults) {
    Faults own = new Faults(name, faults);
    return ProviderReading.of(name, config, catalogue, callbacksReachUs, own).provider();
  }
}
