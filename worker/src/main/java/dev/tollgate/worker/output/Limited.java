package dev.tollgate.worker.output;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that ends after so many bytes. Confined to one thread. */
final class Limited extends FilterInputStream {
  private long left;

  Limited(InputStream in, long length) {
    super(in);
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    int read = left > 0 ? super.read() : -1;
    left -= read < 0 ? 0 : 1;
    return read;
  }

  @Override
  public int read(byte[] buffer, int offset, int count) throws IOException {
    if (left <= 0) {
      return count == 0 ? 0 : -1;
    }
    int read = super.read(buffer, offset, (int) Math.min(count, left));
    left -= Math.max(0, read);
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = super.skip(Math.min(count, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(left, super.available());
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
