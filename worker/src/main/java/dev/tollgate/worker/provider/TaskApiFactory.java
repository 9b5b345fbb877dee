package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.spi.ProviderAdapterFactory;

/**
 * The task API spoken by code instead of by a descriptor: what the benchmark compares descriptors
 * with, and an example of an adapter of one's own. Needs the secret {@code api-key}, which it reads
 * once.
 */
public final class TaskApiFactory implements ProviderAdapterFactory {
  @Override
  public String name() {
    return "task-api";
  }

  @Override
  public ProviderAdapter open(Context context) {
    return TaskApiAdapter.open(
        context.profile(),
        context.endpoint(),
        context.secrets().apply("api-key"),
        context.nanoTime(),
        context.deadlines());
  }
}
