package dev.tollgate.worker.provider.http;

import java.io.ByteArrayOutputStream;

/** Keeps a body up to a limit. Confined to one thread. */
public final class Collector implements BodySink {
  private final int limit;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream(512);

  /** Keeps at most {@code limit} bytes; a longer body ends as {@link BodyEnd#OVER_LIMIT}. */
  public Collector(int limit) {
    this.limit = limit;
  }

  @Override
  public boolean write(int status, byte[] buffer, int offset, int length) {
    int room = limit - kept.size();
    kept.write(buffer, offset, Math.min(room, length));
    return length <= room;
  }

  @Override
  public byte[] collected() {
    return kept.toByteArray();
  }
}
