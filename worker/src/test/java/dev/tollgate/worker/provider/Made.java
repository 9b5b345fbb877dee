package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.HttpSettings;
import java.net.URI;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The two ways to speak the task API, which have to pass the same suites: by a descriptor, and by
 * code.
 */
enum Made {
  BY_DESCRIPTOR {
    @Override
    ProviderAdapter open(
        URI base, Recourse recourse, HttpSettings settings, LongSupplier nanoTime) {
      return Adapters.described(HTTP_JSON, base, recourse, Adapters.NOWHERE, settings, nanoTime);
    }
  },
  BY_CODE {
    @Override
    ProviderAdapter open(
        URI base, Recourse recourse, HttpSettings settings, LongSupplier nanoTime) {
      return TaskApiAdapter.open(
          Adapters.profile(recourse, settings.maxConnections()),
          base,
          Secret.of(Adapters.API_KEY),
          settings,
          new TaskApiAdapter.Patience(Duration.ofSeconds(5), Adapters.PLENTY),
          nanoTime,
          Adapters.DEADLINES);
    }
  };

  private static final Descriptor HTTP_JSON = Adapters.descriptor("http-json", "", "");

  abstract ProviderAdapter open(
      URI base, Recourse recourse, HttpSettings settings, LongSupplier nanoTime);

  ProviderAdapter open(URI base, Recourse recourse) {
    return open(base, recourse, 4, Duration.ofMillis(100), System::nanoTime);
  }

  ProviderAdapter open(URI base, HttpProtocol protocol) {
    return open(base, Recourse.NONE, Adapters.usual(4).with(protocol), System::nanoTime);
  }

  ProviderAdapter open(
      URI base, Recourse recourse, int concurrency, Duration validate, LongSupplier nanoTime) {
    HttpSettings usual = Adapters.usual(concurrency);
    HttpSettings settings =
        new HttpSettings(
            usual.protocol(), concurrency, usual.connectTimeout(), usual.idleLife(), validate);
    return open(base, recourse, settings, nanoTime);
  }
}
