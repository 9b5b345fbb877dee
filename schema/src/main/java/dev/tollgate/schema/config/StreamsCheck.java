package dev.tollgate.schema.config;

import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;

/** Whether streams can be served as configured. */
final class StreamsCheck {
  private static final String PREFIX = "tollgate.streams.";

  private StreamsCheck() {}

  static void check(StreamsConfig streams, Consumer<String> found) {
    if (streams.url().isPresent() && !isBase(streams.url().get())) {
      found.accept(PREFIX + "url is not http(s)://HOST[:PORT][/PATH], without a query");
    }
    if (streams.connections() < 1) {
      found.accept("%sconnections is %d, not at least 1".formatted(PREFIX, streams.connections()));
    }
    positive("head-within", streams.headWithin(), found);
    positive("connection-for", streams.connectionFor(), found);
    positive("heartbeat", streams.heartbeat(), found);
    positive("write-within", streams.writeWithin(), found);
    positive("look-every", streams.lookEvery(), found);
  }

  private static boolean isBase(URI url) {
    return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
        && url.getHost() != null
        && url.getRawUserInfo() == null
        && url.getRawQuery() == null
        && url.getRawFragment() == null;
  }

  private static void positive(String key, Duration value, Consumer<String> found) {
    if (!value.isPositive()) {
      found.accept(PREFIX + key + " must be positive");
    }
  }
}
