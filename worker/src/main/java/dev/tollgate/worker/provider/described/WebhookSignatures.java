package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.worker.provider.Credentials;
import dev.tollgate.worker.provider.http.Collector;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.http.HttpCall;
import dev.tollgate.worker.provider.http.HttpEngine;
import dev.tollgate.worker.provider.http.HttpSettings;
import dev.tollgate.worker.provider.signature.HmacSignature;
import dev.tollgate.worker.provider.signature.KeySet;
import dev.tollgate.worker.provider.signature.KeySetSignature;
import dev.tollgate.worker.provider.signature.SignatureCheck;
import dev.tollgate.worker.provider.signature.StandardWebhooks;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The check of signatures that a descriptor's {@code webhook.verify} describes. Stateless. */
final class WebhookSignatures {
  private static final int KEY_SET_BYTES_MAX = 64 * 1024;
  private static final Duration FETCH_WITHIN = Duration.ofSeconds(5);

  private WebhookSignatures() {}

  /**
   * The check, where there is one: not for a scheme whose secret the operator does not give.
   *
   * @param verify as the descriptor's schema has it
   */
  static Optional<SignatureCheck> of(
      JsonNode verify, Credentials credentials, LongSupplier nanoTime, Deadlines deadlines) {
    String scheme = verify.path("scheme").asText();
    boolean secret = !DescribedWebhooks.secrets(credentials).isEmpty();
    return switch (scheme) {
      case "standard-webhooks" ->
          secret
              ? Optional.of(new StandardWebhooks(() -> DescribedWebhooks.secrets(credentials)))
              : Optional.empty();
      case "hmac-sha256" ->
          secret
              ? Optional.of(
                  new HmacSignature(hmac(verify), () -> DescribedWebhooks.secrets(credentials)))
              : Optional.empty();
      case "ed25519-jwks" -> Optional.of(keySet(verify, nanoTime, deadlines));
      default -> Optional.empty();
    };
  }

  private static HmacSignature.Form hmac(JsonNode verify) {
    return new HmacSignature.Form(
        verify.path("signature-header").asText(),
        verify.path("signature-prefix").asText(),
        verify.path("signature-encoding").asText("hex"),
        Optional.of(verify.path("timestamp-header").asText()).filter(name -> !name.isEmpty()),
        tolerance(verify));
  }

  private static KeySetSignature keySet(
      JsonNode verify, LongSupplier nanoTime, Deadlines deadlines) {
    String timeHeader = verify.path("timestamp-header").asText();
    List<String> lines =
        Stream.of(
                verify.path("request-id-header").asText(),
                verify.path("user-id-header").asText(),
                timeHeader)
            .filter(name -> !name.isEmpty())
            .toList();
    URI address = URI.create(verify.path("jwks").asText());
    KeySet keys =
        new KeySet(
            () -> fetch(address, nanoTime, deadlines),
            Duration.ofHours(verify.path("jwks-cached-at-most-hours").asInt(1)),
            nanoTime);
    return new KeySetSignature(
        new KeySetSignature.Form(
            verify.path("signature-header").asText(),
            verify.path("signature-encoding").asText("hex"),
            lines,
            timeHeader,
            tolerance(verify)),
        keys);
  }

  private static Duration tolerance(JsonNode verify) {
    return Duration.ofSeconds(verify.path("tolerance-seconds").asInt(300));
  }

  /* Once in a while, so its connection is not kept. */
  private static Optional<byte[]> fetch(URI address, LongSupplier nanoTime, Deadlines deadlines) {
    URI origin = URI.create(address.getScheme() + "://" + address.getRawAuthority());
    HttpSettings settings = HttpSettings.of(1, FETCH_WITHIN);
    try (HttpEngine engine = HttpEngine.open(origin, settings, nanoTime, deadlines)) {
      HttpAnswer answer =
          engine.send(
              HttpCall.get(
                  address.getRawPath(),
                  Map.of("Accept", "application/json"),
                  nanoTime.getAsLong() + FETCH_WITHIN.toNanos()),
              new Collector(KEY_SET_BYTES_MAX));
      boolean whole = answer.status().isPresent() && answer.status().getAsInt() == 200;
      return whole ? Optional.of(answer.body()) : Optional.empty();
    }
  }
}
