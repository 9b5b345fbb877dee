package dev.tollgate.schema.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events from bytes as they come, however they are divided. An event counts when
 * the empty line behind it is here, so one that was cut does not. Confined to one thread.
 */
final class StreamEvents {
  /**
   * An event.
   *
   * @param id its own; null where it has none
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Event(String type, @Nullable String id, byte[] data) {}

  private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);

  private final int most;
  private final Consumer<Event> each;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private String type = "";
  private @Nullable String id;
  private boolean anyData;
  private boolean carriageReturn;

  /**
   * @param most bytes of one event
   * @param each gets the events
   */
  StreamEvents(int most, Consumer<Event> each) {
    this.most = most;
    this.each = each;
  }

  /**
   * More bytes.
   *
   * @throws ClientException.NoStream if an event is longer than is allowed
   */
  void add(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      byte b = bytes.get();
      boolean second = carriageReturn && b == '\n';
      carriageReturn = b == '\r';
      if (second) {
        continue; // the line ended before it
      }
      if (b == '\n' || b == '\r') {
        line();
        line.reset();
      } else {
        line.write(b);
        if (line.size() + data.size() > most) {
          throw new ClientException.NoStream("an event has more than " + most + " bytes");
        }
      }
    }
  }

  private void line() {
    byte[] bytes = line.toByteArray();
    if (bytes.length == 0) {
      dispatch();
      return;
    }
    int colon = 0;
    while (colon < bytes.length && bytes[colon] != ':') {
      colon++;
    }
    int value = Math.min(colon + 1, bytes.length);
    if (value < bytes.length && bytes[value] == ' ') {
      value++;
    }
    if (java.util.Arrays.equals(bytes, 0, colon, DATA, 0, DATA.length)) {
      if (anyData) {
        data.write('\n');
      }
      anyData = true;
      data.write(bytes, value, bytes.length - value);
      return;
    }
    String text = new String(bytes, value, bytes.length - value, StandardCharsets.UTF_8);
    switch (new String(bytes, 0, colon, StandardCharsets.UTF_8)) {
      case "event" -> type = text;
      case "id" -> id = text;
      default -> {} // a comment, or what a later version says
    }
  }

  private void dispatch() {
    if (anyData) {
      each.accept(new Event(type, id, data.toByteArray()));
    }
    data.reset();
    anyData = false;
    type = "";
    id = null;
  }
}
