package dev.tollgate.loadtest.sandbox;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One task. Its state is computed when asked for. Thread-safe: all fixed but a count, and the
 * cached digest, which any thread computes alike.
 */
final class SandboxTask {
  final Kind kind;
  final String id;
  final long createdAtMs;
  final long visibleAtMs;
  final boolean fails;
  final @Nullable String reference;

  /** Kept for the kinds that need it: the listed one shows it, streams misbehave by it. */
  final @Nullable String inputJson;

  /** Answers that carried its stream. */
  final AtomicInteger answers = new AtomicInteger();

  /** Cached; volatile since polls may come on several connections. */
  private volatile @Nullable String outputSha256;

  SandboxTask(CreateRequest request, String id, long createdAtMs, long visibleAtMs, boolean fails) {
    this(
        request.kind(),
        id,
        createdAtMs,
        visibleAtMs,
        fails,
        request.reference(),
        request.inputJson());
  }

  SandboxTask(
      Kind kind,
      String id,
      long createdAtMs,
      long visibleAtMs,
      boolean fails,
      @Nullable String reference,
      @Nullable String inputJson) {
    this.kind = kind;
    this.id = id;
    this.createdAtMs = createdAtMs;
    this.visibleAtMs = visibleAtMs;
    this.fails = fails;
    this.reference = reference;
    this.inputJson = kind == Kind.LISTED || kind == Kind.TEXT ? inputJson : null;
  }

  boolean visible(long nowMs) {
    return nowMs >= visibleAtMs;
  }

  /** A fifth of the render time in the queue, the rest in work, then the end. */
  String status(long nowMs, long renderMs) {
    long age = nowMs - createdAtMs;
    if (age >= renderMs) {
      return fails ? "failed" : "succeeded";
    }
    return age * 5 < renderMs ? "queued" : "processing";
  }

  String outputSha256(int outputBytes) {
    String known = outputSha256;
    if (known == null) {
      known = CreateRequest.sha256(Picture.of(id, outputBytes));
      outputSha256 = known;
    }
    return known;
  }
}
