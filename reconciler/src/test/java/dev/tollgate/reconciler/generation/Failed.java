package dev.tollgate.reconciler.generation;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.NextGeneration;
import dev.tollgate.schema.event.NextGeneration.Earlier;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.key.Dimensions;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Regenerations.Due;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A failed operation, numbered. */
record Failed(
    int n,
    int generation,
    @Nullable Code reason,
    @Nullable String why,
    @Nullable Code doubt,
    @Nullable Instant deadline) {
  static final Instant NOW = Instant.parse("2030-01-31T12:00:00Z");

  /** A first generation that the provider ended as failed. */
  Failed(int n) {
    this(n, 1, Code.PROVIDER_FAILED, "failed: code 7", null, null);
  }

  Failed because(Code other, @Nullable String sentence) {
    return new Failed(n, generation, other, sentence, doubt, deadline);
  }

  Failed doubted(Code code) {
    return new Failed(n, generation, reason, why, code, deadline);
  }

  Failed until(Instant end) {
    return new Failed(n, generation, reason, why, doubt, end);
  }

  private Dimensions dimensions() {
    return Dimensions.of("video").product("p-" + n).generation(generation).build();
  }

  OperationKey key() {
    return dimensions().operationKey();
  }

  OperationKey nextKey() {
    return dimensions().withGeneration(generation + 1).operationKey();
  }

  private Earlier earlier() {
    return new Earlier(
        key(),
        dimensions().canonicalJson(),
        Fixture.PROVIDER,
        Fixture.utf8("{\"seed\":%d}".formatted(n)),
        deadline,
        "task-" + n,
        "/shop");
  }

  Due due() {
    return new Due(earlier(), reason, why, doubt, NOW);
  }

  /** The request that the policy sends. */
  RequestWriter.Ready request() {
    return (RequestWriter.Ready)
        NextGeneration.of(earlier(), Retry.POLICY, "%s: %s".formatted(reason, why));
  }
}
