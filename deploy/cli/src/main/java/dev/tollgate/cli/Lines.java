package dev.tollgate.cli;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.event.EventLimits;
import dev.tollgate.schema.json.UnicodeText;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON lines of any number, one at a time, within the memory of the longest line allowed. Not
 * for use by several threads.
 */
final class Lines implements AutoCloseable {
  private static final int BOM = '\uFEFF';

  private final InputStream in;
  private final boolean ours;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long number;

  /**
   * One line that is not blank.
   *
   * @param number counted from 1, blank lines included
   * @param text without its end; null if the line cannot be text of a request
   * @param fault why there is no text
   */
  record Line(long number, @Nullable String text, @Nullable String fault) {}

  private Lines(InputStream in, boolean ours) {
    this.in = new BufferedInputStream(in, 1 << 16);
    this.ours = ours;
  }

  /** Lines of a file, or of standard input for {@code -}. */
  static Lines open(String file) {
    if (file.equals("-")) {
      return new Lines(System.in, false);
    }
    Path path = Path.of(file);
    try {
      if (Files.isDirectory(path)) {
        throw Failure.usage(
            file + " is a folder; name a file of JSON lines, or - for standard input");
      }
      return new Lines(Files.newInputStream(path), true);
    } catch (IOException e) {
      throw Failure.usage("the file " + file + " cannot be read: " + Explanation.said(e), e);
    }
  }

  /** The next line, or null at the end. */
  @Nullable Line next() throws IOException {
    while (true) {
      bytes.reset();
      long length = 0;
      int read = in.read();
      if (read < 0) {
        return null;
      }
      number++;
      for (; read >= 0 && read != '\n'; read = in.read()) {
        length++;
        if (length <= EventLimits.VALUE_BYTES_MAX) {
          bytes.write(read);
        }
      }
      if (length > EventLimits.VALUE_BYTES_MAX) {
        return new Line(
            number,
            null,
            "the line has %d bytes, more than %d".formatted(length, EventLimits.VALUE_BYTES_MAX));
      }
      Line line = line();
      if (line.text() == null || !line.text().isBlank()) {
        return line;
      }
    }
  }

  private Line line() {
    try {
      String text = UnicodeText.utf8(bytes.toByteArray(), "the line");
      boolean marked = number == 1 && !text.isEmpty() && text.charAt(0) == BOM;
      return new Line(number, marked ? text.substring(1) : text, null);
    } catch (RefusedException e) {
      return new Line(number, null, e.reason());
    }
  }

  @Override
  public void close() throws IOException {
    if (ours) {
      in.close();
    }
  }
}
