package dev.tollgate.oracles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.oracles.Recorder.Reply;

/** What a server may do to a create that it has read whole, and that it may well have run. */
enum Misbehaviour {
  /** On the connection's first request. */
  CLOSES,
  /** On the second request of a connection that the client kept. */
  CLOSES_KEPT,
  SAYS_500,
  SAYS_429,
  /** Longer than the client waits. */
  IS_SILENT;

  /**
   * A server that does this to every create; before {@link #CLOSES_KEPT} it answers one with {@code
   * answer}.
   */
  Recorder serve(String answer) {
    return new Recorder(
        number ->
            switch (this) {
              case CLOSES -> new Reply.Close();
              case CLOSES_KEPT -> number == 1 ? new Reply.Answer(200, answer) : new Reply.Close();
              case SAYS_500 -> new Reply.Answer(500, "{}");
              case SAYS_429 -> new Reply.Answer(429, "{}");
              case IS_SILENT -> new Reply.Silence();
            });
  }

  /**
   * How often a client sends one create by itself.
   *
   * @param answer to the create before, where there is one
   */
  int sends(String answer, Client client) throws Exception {
    try (Recorder server = serve(answer)) {
      Create create = client.of(server);
      if (this == CLOSES_KEPT) {
        create.run();
        assertThat(answered(create)).isFalse();
        assertThat(server.keptItsConnection()).isTrue();
        return server.count() - 1;
      }
      assertThat(answered(create)).isFalse();
      return this == IS_SILENT ? server.countOnceAbandoned() : server.count();
    }
  }

  /** What a client makes of the fault is its own matter. */
  static boolean answered(Create create) {
    try {
      create.run();
      return true;
    } catch (Exception _) {
      return false;
    }
  }

  /** Makes a client of a server. */
  @FunctionalInterface
  interface Client {
    Create of(Recorder server);
  }

  /** Sends one create, and throws unless it is answered. */
  @FunctionalInterface
  interface Create {
    void run() throws Exception;
  }
}
