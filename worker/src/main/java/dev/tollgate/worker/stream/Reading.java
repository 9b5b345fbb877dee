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
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream once, from where its stored chunks end: gives events their offsets, and leaves out
 * those that are stored already once it has seen that they are the same. Confined to the reading
 * thread.
 */
final class Reading implements StreamReader {
  private static final int PAGE = 1000;

  private final LiveStream live;
  private final Chunks chunks;
  private final BooleanSupplier stopping;
  private final @Nullable Long storedUpTo;
  private int next;
  private boolean conflict;
  private @Nullable Map<Long, byte[]> stored;

  /**
   * @param standing how far its stored chunks go
   * @param stopping whether somebody else is to read on
   */
  Reading(LiveStream live, Chunks chunks, Standing standing, BooleanSupplier stopping) {
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
  public boolean event(StreamEvent event) {
    if (isStored(event)) {
      return !conflict;
    }
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

  /** A provider that sends more than it was asked for repeats what is stored, or contradicts it. */
  private boolean isStored(StreamEvent event) {
    OptionalLong cursor = event.cursor();
    if (storedUpTo == null || cursor.isEmpty() || cursor.getAsLong() > storedUpTo) {
      return false;
    }
    if (stored == null) {
      stored = readStored();
    }
    byte[] before = stored.get(cursor.getAsLong());
    conflict |= before == null || !Arrays.equals(before, event.data().toByteArray());
    return true;
  }

  private Map<Long, byte[]> readStored() {
    Map<Long, byte[]> all = new HashMap<>();
    for (int from = 0; from < next; from += PAGE) {
      Wanted wanted = new Wanted(live.stream().key(), live.stream().seq(), from);
      for (Chunk chunk : chunks.pages(List.of(wanted), PAGE).getFirst().chunks()) {
        if (chunk.cursor() != null) {
          all.put(Objects.requireNonNull(chunk.cursor()), chunk.data());
        }
      }
    }
    return all;
  }

  /** Waits until all is written; what became of it. */
  Appended flush() throws InterruptedException {
    Appended written = live.flush();
    return conflict ? Appended.CONFLICT : written;
  }
}
