package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.described.DescribedAdapter;
import dev.tollgate.worker.provider.described.DescribedConfig;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.DescriptorReader;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.HttpSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
      String path = base.getRawPath().replaceAll("/+$", "");
      return DescribedAdapter.open(
          HTTP_JSON,
          new DescribedConfig(
              Adapters.profile(recourse, settings.maxConnections()),
              URI.create(base.getScheme() + "://" + base.getRawAuthority() + path),
              Map.of("tasks", "tasks"),
              Credentials.open(
                  "sandbox", Map.of("api-key", "env:KEY"), _ -> Adapters.API_KEY, System::nanoTime),
              Optional.empty(),
              List.of(),
              new DescribedConfig.KeptIn(Path.of("unused"), InstantSource.system())),
          Optional.empty(),
          settings,
          new DescribedAdapter.Patience(Duration.ofSeconds(5), Adapters.PLENTY),
          nanoTime,
          Adapters.DEADLINES);
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

  private static final Descriptor HTTP_JSON =
      DescriptorReader.read(new Catalogue(Optional.empty()).find("http-json").orElseThrow().text())
          .descriptor()
          .orElseThrow();

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
