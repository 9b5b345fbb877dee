package dev.tollgate.schema.client;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.event.ResultEvent.State;
import dev.tollgate.schema.key.RequestHash;
import dev.tollgate.schema.key.Sha256;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Requests, and events as an installation tells them. */
final class Told {
  private Told() {}

  static String json(int n) {
    return json(n, 7);
  }

  /** Of operation n; the seed decides the request hash. */
  static String json(int n, int seed) {
    return """
    {"kind":"video","product":"p-%d","provider":"keyed","params":{"prompt":"a red kite","seed":%d}}"""
        .formatted(n, seed);
  }

  static RequestWriter.Ready request(int n) {
    return request(n, 7);
  }

  static RequestWriter.Ready request(int n, int seed) {
    return (RequestWriter.Ready) RequestWriter.fromJsonLine(json(n, seed));
  }

  /** An event of the request that {@link #request(int)} makes. */
  static ResultEvent event(int n, State state, long version) {
    return event(n, state, version, request(n).requestHash());
  }

  static ResultEvent event(int n, State state, long version, @Nullable RequestHash hash) {
    return new ResultEvent(
        request(n).key(),
        state,
        version,
        "keyed",
        "job-" + n,
        state == State.COMPLETE ? output(n) : null,
        state == State.FAILED ? Code.PROVIDER_REJECTED : null,
        Instant.EPOCH.plusSeconds(1),
        1,
        ResultEvent.Details.ended(
            hash,
            "task",
            state == State.COMPLETE ? new ResultEvent.Price(Money.of("0.35"), "USD") : null,
            state == State.FAILED ? "it said no" : null));
  }

  static ResultEvent.Output output(int n) {
    return new ResultEvent.Output(
        "file:///outputs/" + n, Sha256.of(new byte[n]), 1 + n, "video/mp4");
  }
}
