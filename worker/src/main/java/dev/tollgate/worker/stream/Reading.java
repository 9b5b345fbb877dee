package dev.tollgate.worker.stream;

import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Appended;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.Standing;
import dev.tollgate.schema.store.Chunks.Wanted;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.stream.StreamEvent;
import dev.tollgate.worker.provider.stream.StreamReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream once, from where its stored chunks end: gives events their offsets, and leaves out
 * those that are stored already once it has seen that they are the same. Confined to the reading
 * thread.
 */
final class Reading implements StreamReader {
  private static final int PAGE = 100;

  /** Far more than any text has: a stream that never ends has to end for us. */
  private static final int CHUNKS_MAX = 1_000_000;

  private final LiveStream live;
  private final Chunks chunks;
  private final BooleanSupplier stopping;
  private final boolean consecutive;
  private final @Nullable Long storedUpTo;
  private int next;
  private @Nullable StreamEvent before;
  private String conflict = "";
  private @Nullable Map<Long, byte[]> stored;

  /**
   * @param standing how far its stored chunks go
   * @param consecutive whether the provider's numbers have no gaps
   * @param stopping whether somebody else is to read on
   */
  Reading(
      LiveStream live,
      Chunks chunks,
      Standing standing,
      boolean consecutive,
      BooleanSupplier stopping) {
    this.consecutive = consecutive;
    this.live = live;
    this.chunks = chunks;
    this.stopping = stopping;
    this.storedUpTo = standing.cursor();
    this.next = standing.next();
  }

  @Override
  public boolean accepted(SubmitResult result) {
    return true;
  }

  @Override
  public boolean goesOn() {
    return !stopping.getAsBoolean();
  }

  @Override
  public boolean event(StreamEvent event) {
    if (isKnown(event) || !conflict.isEmpty()) {
      return conflict.isEmpty();
    }
    if (next >= CHUNKS_MAX) {
      conflict = "it has more than %d events".formatted(CHUNKS_MAX);
      return false;
    }
    before = event;
    try {
      boolean goesOn =
          live.add(
              new Chunk(
                  next,
                  event.cursor().isPresent() ? event.cursor().getAsLong() : null,
                  event.text().map(Bytes::toByteArray).orElse(null),
                  event.data().toByteArray(),
                  event.end().orElse(null)));
      next++;
      return goesOn && !stopping.getAsBoolean();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether it was here before; notes what contradicts that, and what is missing before it. */
  private boolean isKnown(StreamEvent event) {
    if (event.cursor().isEmpty()) {
      return false;
    }
    long cursor = event.cursor().getAsLong();
    if (storedUpTo != null && cursor <= storedUpTo) {
      compare(cursor, event);
      return true;
    }
    StreamEvent last = before;
    Long lastCursor =
        last != null && last.cursor().isPresent()
            ? Long.valueOf(last.cursor().getAsLong())
            : storedUpTo;
    if (lastCursor == null) {
      return false;
    }
    if (cursor <= lastCursor) {
      boolean repeat = cursor == lastCursor && last != null && last.data().equals(event.data());
      conflict = repeat ? conflict : "event %d comes behind event %d".formatted(cursor, lastCursor);
      return repeat;
    }
    if (consecutive && cursor != lastCursor + 1) {
      conflict = "events between %d and %d are missing".formatted(lastCursor, cursor);
    }
    return false;
  }

  /** A provider that sends more than it was asked for repeats what is stored, or contradicts it. */
  private void compare(long cursor, StreamEvent event) {
    if (stored == null) {
      stored = readStored();
    }
    if (!Arrays.equals(stored.get(cursor), event.data().toByteArray())) {
      conflict = "other bytes than before for event %d, which is stored".formatted(cursor);
    }
  }

  private Map<Long, byte[]> readStored() {
    Map<Long, byte[]> all = new HashMap<>();
    int from = 0;
    while (true) {
      Wanted wanted = new Wanted(live.stream().key(), live.stream().seq(), from);
      List<Chunk> page = chunks.pages(List.of(wanted), PAGE).getFirst().chunks();
      if (page.isEmpty()) {
        return all;
      }
      for (Chunk chunk : page) {
        if (chunk.cursor() != null) {
          all.put(Objects.requireNonNull(chunk.cursor()), chunk.data());
        }
      }
      from = page.getLast().offset() + 1;
    }
  }

  /** Waits until all is written; what became of it. */
  Appended flush() throws InterruptedException {
    Appended written = live.flush();
    return conflict.isEmpty() || written == Appended.STALE ? written : Appended.CONFLICT;
  }

  /** What the provider contradicts itself with; empty if it was seen by the database, or is not. */
  String conflict() {
    return conflict;
  }
}
