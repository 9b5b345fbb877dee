package dev.tollgate.worker.provider.sse;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Takes a {@code text/event-stream} apart, in whatever pieces it comes, by the rules of the HTML
 * standard (section 9.2.6): lines end with CR, LF or both; the {@code data} lines of an event are
 * joined with LF; the {@code event} field names it; other fields and comments carry nothing that is
 * needed here. Works on bytes: a character that is divided between two pieces is whole again in the
 * event. Confined to one thread.
 */
public final class EventStreamParser {
  private static final byte[] DATA = {'d', 'a', 't', 'a'};
  private static final byte[] EVENT = {'e', 'v', 'e', 'n', 't'};
  private static final String UNNAMED = "message";
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final int eventMax;
  private final Taker taker;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
  private final ByteArrayOutputStream data = new ByteArrayOutputStream(512);
  private boolean hasData;
  private String name = UNNAMED;
  private boolean afterReturn;
  private boolean first = true;

  /** Takes one event. */
  @FunctionalInterface
  public interface Taker {
    /**
     * Takes it.
     *
     * @param name of the event; {@code message} where it has none
     * @return whether more is wanted
     */
    boolean take(String name, byte[] data);
  }

  /**
   * @param eventMax most bytes of one event, and of one line
   */
  public EventStreamParser(int eventMax, Taker taker) {
    this.eventMax = eventMax;
    this.taker = taker;
  }

  /**
   * Takes a piece.
   *
   * @return whether more is wanted
   * @throws TooLong if an event is longer than is read
   */
  public boolean feed(byte[] buffer, int offset, int length) throws TooLong {
    for (int i = offset; i < offset + length; i++) {
      byte b = buffer[i];
      boolean pair = afterReturn && b == '\n';
      afterReturn = b == '\r';
      if (pair) {
        continue;
      }
      if (b == '\n' || b == '\r') {
        if (!endLine()) {
          return false;
        }
      } else {
        if (line.size() >= eventMax) {
          throw new TooLong(eventMax);
        }
        line.write(b);
      }
    }
    return true;
  }

  /**
   * Takes the end of the stream. An event whose lines are whole counts, though the empty line that
   * ends it did not come: whoever reads it sees whether anything is missing.
   */
  public void end() {
    if (hasData) {
      dispatch();
    }
  }

  private boolean endLine() throws TooLong {
    byte[] whole = line.toByteArray();
    line.reset();
    if (first) {
      first = false;
      if (startsWith(whole, BYTE_ORDER_MARK)) {
        whole = Arrays.copyOfRange(whole, BYTE_ORDER_MARK.length, whole.length);
      }
    }
    if (whole.length == 0) {
      boolean goesOn = !hasData || dispatch();
      name = UNNAMED;
      return goesOn;
    }
    value(whole, DATA).ifPresent(this::add);
    value(whole, EVENT).ifPresent(given -> name = new String(given, StandardCharsets.UTF_8));
    if (data.size() > eventMax) {
      throw new TooLong(eventMax);
    }
    return true;
  }

  private boolean dispatch() {
    byte[] event = data.toByteArray();
    data.reset();
    hasData = false;
    return taker.take(name, event);
  }

  private void add(byte[] value) {
    if (hasData) {
      data.write('\n');
    }
    data.writeBytes(value);
    hasData = true;
  }

  /** The value of a line with this field. */
  private static Optional<byte[]> value(byte[] line, byte[] field) {
    if (!startsWith(line, field)) {
      return Optional.empty();
    }
    if (line.length == field.length) {
      return Optional.of(new byte[0]);
    }
    if (line[field.length] != ':') {
      return Optional.empty();
    }
    int from = field.length + 1;
    if (from < line.length && line[from] == ' ') {
      from++;
    }
    return Optional.of(Arrays.copyOfRange(line, from, line.length));
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** An event is longer than is read. */
  public static final class TooLong extends Exception {
    private static final long serialVersionUID = 1L;

    TooLong(int most) {
      super("an event of more than " + most + " bytes");
    }
  }
}
