package dev.tollgate.schema.store;

import dev.tollgate.schema.key.OperationKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Passes everything on to a real one, for fakes that change what they are about. */
public class ScriptedChunks implements Chunks {
  private final Chunks real;

  public ScriptedChunks(Chunks real) {
    this.real = real;
  }

  @Override
  public Map<OperationKey, Appended> append(Map<Stream, List<Chunk>> chunks) {
    return real.append(chunks);
  }

  @Override
  public void renew(Collection<Stream> streams, Duration lease) {
    real.renew(streams, lease);
  }

  @Override
  public void handOver(Collection<Stream> streams) {
    real.handOver(streams);
  }

  @Override
  public Map<OperationKey, Standing> standings(Collection<Stream> streams) {
    return real.standings(streams);
  }

  @Override
  public Optional<Long> place(OperationKey key) {
    return real.place(key);
  }

  @Override
  public List<Page> pages(List<Wanted> wanted, int most) {
    return real.pages(wanted, most);
  }

  @Override
  public List<Unpublished> outbox(int atLeast) {
    return real.outbox(atLeast);
  }

  @Override
  public void published(List<Long> ids) {
    real.published(ids);
  }
}
