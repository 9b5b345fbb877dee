package dev.tollgate.embedded;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Fails, rather than skips, when containers are asked for and no Docker engine answers. */
@EnabledIfSystemProperty(named = Services.PROPERTY, matches = "containers")
final class ContainerServicesIT extends ServicesContract {
  @Override
  Services open(ServicesOptions options) {
    return Services.containers(options);
  }
}
