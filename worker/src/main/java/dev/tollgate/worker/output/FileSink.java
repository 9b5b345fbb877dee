package dev.tollgate.worker.output;

import dev.tollgate.worker.provider.OutputSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that a download goes to. Confined to one thread. */
final class FileSink implements OutputSink, AutoCloseable {
  private final FileChannel channel;

  private FileSink(FileChannel channel) {
    this.channel = channel;
  }

  static FileSink create(Path file) throws IOException {
    return new FileSink(
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  @Override
  public void write(byte[] buffer, int offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(buffer, offset, length);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  @Override
  public boolean startOver() throws IOException {
    channel.truncate(0);
    channel.position(0);
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
