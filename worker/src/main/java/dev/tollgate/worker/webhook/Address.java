package dev.tollgate.worker.webhook;

import dev.tollgate.schema.key.OperationKey;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where an event came: {@code /webhooks/{provider}}, or {@code
 * /callbacks/{provider}/{operation}/{mac}}.
 *
 * @param mac proves that its bearer had a callback's address from us; empty for a webhook
 */
record Address(String provider, Optional<OperationKey> operation, String mac) {
  /** Whoever ends TLS may leave the path of the public address as it is. */
  private static final String PREFIX = "(?:/[A-Za-z0-9_-]{1,64}){0,8}";

  private static final Pattern WEBHOOK =
      Pattern.compile(PREFIX + "/webhooks/([a-z][a-z0-9_-]{0,23})");
  private static final Pattern CALLBACK =
      Pattern.compile(
          PREFIX
              + "/callbacks/([a-z][a-z0-9_-]{0,23})/([a-z][a-z0-9_-]{0,23}:[0-9a-f]{64})/([0-9a-f]{32})");

  static Optional<Address> of(String path) {
    Matcher callback = CALLBACK.matcher(path);
    if (callback.matches()) {
      try {
        return Optional.of(
            new Address(
                callback.group(1),
                Optional.of(OperationKey.parse(callback.group(2))),
                callback.group(3)));
      } catch (IllegalArgumentException _) {
        return Optional.empty();
      }
    }
    Matcher webhook = WEBHOOK.matcher(path);
    return webhook.matches()
        ? Optional.of(new Address(webhook.group(1), Optional.empty(), ""))
        : Optional.empty();
  }
}
