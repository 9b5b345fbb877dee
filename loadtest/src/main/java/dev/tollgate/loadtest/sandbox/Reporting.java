package dev.tollgate.loadtest.sandbox;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the sandbox reports the changes of its tasks by itself. A task whose create carried a {@code
 * callback_url} is reported there, whatever is said here. Immutable.
 *
 * @param addresses where all other tasks are reported, below each the kind's path: the first that
 *     takes an event has it; none: they are not reported
 * @param secret signs events as Standard Webhooks has it; none: they are not signed
 * @param faults how much reports misbehave
 */
public record Reporting(List<URI> addresses, Optional<String> secret, FaultPreset faults) {
  public Reporting {
    addresses = List.copyOf(addresses);
    List<String> errors = new ArrayList<>();
    for (URI address : addresses) {
      if (!isAddress(address)) {
        errors.add("not an address of webhooks: " + address);
      }
    }
    if (secret.isPresent() && Reporter.key(secret.get()).isEmpty()) {
      errors.add("the webhook secret is not whsec_ and base64");
    }
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException("sandbox not started: " + String.join("; ", errors));
    }
  }

  /** Only what a create asks for is reported, unsigned and in order. */
  public static Reporting onRequest() {
    return new Reporting(List.of(), Optional.empty(), FaultPreset.NONE);
  }

  /** Everything is reported to one of these, signed with the sandbox's usual secret. */
  public static Reporting to(List<URI> addresses, FaultPreset faults) {
    return new Reporting(addresses, Optional.of(Kind.WEBHOOK_SECRET), faults);
  }

  static boolean isAddress(URI address) {
    return ("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
        && address.getHost() != null
        && address.getRawQuery() == null;
  }

  /** The same without the secret. */
  @Override
  public String toString() {
    return "to %s, %s, faults %s"
        .formatted(addresses, secret.isPresent() ? "signed" : "unsigned", faults);
  }
}
