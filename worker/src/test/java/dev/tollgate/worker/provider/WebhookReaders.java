package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.described.DescribedAdapter;
import dev.tollgate.worker.provider.described.DescribedConfig;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Readers of webhooks, for tests of other rooms. */
public final class WebhookReaders {
  private WebhookReaders() {}

  /** What the descriptor of one's own endpoint reads, with these further secrets. */
  public static WebhookReader httpJson(Map<String, String> secrets) {
    return reader(Adapters.descriptor("http-json", "", ""), secrets);
  }

  /** The same, of an endpoint whose events name the key that the create carried. */
  public static WebhookReader namingReferences(Map<String, String> secrets) {
    return reader(
        Adapters.descriptor(
            "http-json",
            "  event-id: $headers",
            "  reference: .client_reference | strings\n  event-id: $headers"),
        secrets);
  }

  /** The same, of a service that signs alike for all who use it. */
  public static WebhookReader ofAccount(String account, Map<String, String> secrets) {
    return reader(
        Adapters.descriptor(
            "http-json",
            "  event-id: $headers",
            "  ours: $headers[\"x-account\"] == \"%s\"\n  event-id: $headers".formatted(account)),
        secrets);
  }

  private static WebhookReader reader(Descriptor descriptor, Map<String, String> secrets) {
    Map<String, String> references = new HashMap<>(Map.of("api-key", "env:api-key"));
    secrets.keySet().forEach(name -> references.put(name, "env:" + name));
    DescribedAdapter adapter =
        DescribedAdapter.open(
            descriptor,
            new DescribedConfig(
                Adapters.profile(Recourse.CALLBACK_PER_REQUEST, 1),
                URI.create("http://127.0.0.1:1"),
                DescribedConfig.settings(Map.of("tasks", "tasks")),
                Credentials.open(
                    "sandbox",
                    references,
                    name -> secrets.getOrDefault(name, Adapters.API_KEY),
                    System::nanoTime),
                Optional.empty(),
                List.of(),
                Adapters.NOWHERE,
                OptionalInt.empty()),
            Optional.empty(),
            Adapters.usual(1),
            DescribedAdapter.Patience.USUAL,
            System::nanoTime,
            Adapters.DEADLINES);
    return adapter.webhooks().orElseThrow();
  }
}
