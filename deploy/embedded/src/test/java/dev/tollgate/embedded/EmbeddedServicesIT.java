package dev.tollgate.embedded;

final class EmbeddedServicesIT extends ServicesContract {
  @Override
  Services open(ServicesOptions options) {
    return Services.embedded(options);
  }
}
