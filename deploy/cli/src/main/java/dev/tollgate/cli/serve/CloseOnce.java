package dev.tollgate.cli.serve;

import dev.tollgate.schema.health.Vitals;
import java.util.Optional;

/** A service whose second close does nothing. Confined to the process's main thread. */
final class CloseOnce implements Service {
  private final Service service;
  private boolean closed;

  CloseOnce(Service service) {
    this.service = service;
  }

  @Override
  public void start() {
    service.start();
  }

  @Override
  public Vitals vitals() {
    return service.vitals();
  }

  @Override
  public Optional<String> broken() {
    return service.broken();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      service.close();
    }
  }
}
