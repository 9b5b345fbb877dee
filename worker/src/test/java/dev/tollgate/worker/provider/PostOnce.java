package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.http.CountingServer;
import java.time.Duration;

/**
 * FC-38, in whichever protocol: whatever a server does after it has read a POST, it sees that POST
 * once. What it does is the script's that it was made with.
 */
final class PostOnce {
  private static final Duration SOON = Duration.ofMillis(300);

  private PostOnce() {}

  /** The server misbehaves at the first request of a connection. */
  static void onFreshConnection(
      CountingServer server, ProviderAdapter adapter, Class<? extends Verdict> expected) {
    SubmitResult result = adapter.submit(Adapters.submission(SOON));

    assertThat(result.verdict()).isInstanceOf(expected);
    assertThat(result.raw().firstByteSent()).isTrue();
    assertThat(server.posts()).isEqualTo(1);
    assertThat(server.requests()).hasSize(1);
    assertThat(server.connections()).isEqualTo(1);
  }

  /** The server accepts the first request, and misbehaves at the second of the same connection. */
  static void onUsedConnection(
      CountingServer server, ProviderAdapter adapter, Class<? extends Verdict> expected) {
    assertAccepted(adapter, 1);

    SubmitResult result = adapter.submit(Adapters.submission(SOON));

    assertThat(result.verdict()).isInstanceOf(expected);
    assertThat(result.raw().firstByteSent()).isTrue();
    assertThat(server.posts()).isEqualTo(2);
    assertThat(server.connections()).as("the second went over the first's").isEqualTo(1);
  }

  /** The server misbehaves at the first request: that must not keep a later one from being sent. */
  static void afterMisbehaviour(CountingServer server, ProviderAdapter adapter) {
    adapter.submit(Adapters.submission(SOON));
    assertAccepted(adapter, 2);
    assertThat(server.posts()).isEqualTo(2);
  }

  /** That the server's request of this number creates the task that {@link #body} names. */
  static void assertAccepted(ProviderAdapter adapter, int number) {
    assertThat(adapter.submit(Adapters.submission(Adapters.PLENTY)).verdict())
        .isEqualTo(new Verdict.Accepted(id(number), ""));
  }

  /** The answer that accepts the request of this number. */
  static String body(int number) {
    return "{\"id\":\"" + id(number) + "\",\"status\":\"queued\"}";
  }

  private static String id(int number) {
    return "blind-" + number + "-x";
  }
}
