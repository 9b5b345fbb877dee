package dev.tollgate.worker.provider.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.hpack.HPackDecoder;
import org.apache.hc.core5.http2.hpack.HPackException;

/**
 * Reads the header blocks of one connection. Every block has to go through here, also that of a
 * stream nobody waits for, since each can change how the next is read. Confined to the thread that
 * reads.
 */
final class H2Headers {
  /** As for HTTP/1.1: far above what providers send. */
  private static final int FIELDS_MAX = 128;

  private static final int FIELD_LENGTH_MAX = 8 * 1024;
  private static final int NO_STATUS = -1;

  private final HPackDecoder decoder =
      new HPackDecoder(H2Frame.HEADER_TABLE_DEFAULT, StandardCharsets.US_ASCII);

  H2Headers() {
    decoder.setMaxTableSize(H2Frame.HEADER_TABLE_DEFAULT);
  }

  /**
   * What one block said.
   *
   * @param status -1 if it had none, as trailers have
   * @param kept the headers that are kept, by lower-case name
   * @param length the announced length of the body, -1 if it was not
   * @param fault why the block is not a message's, empty if it is
   */
  record Block(int status, Map<String, String> kept, long length, String fault) {
    boolean hasStatus() {
      return status != NO_STATUS;
    }
  }

  /** Reads one whole block. */
  Block read(byte[] bytes) throws H2Violation {
    ByteBuffer source = ByteBuffer.wrap(bytes);
    Reading reading = new Reading();
    try {
      for (Header field = decoder.decodeHeader(source);
          field != null;
          field = decoder.decodeHeader(source)) {
        reading.add(field.getName(), String.valueOf(field.getValue()));
      }
    } catch (HPackException | RuntimeException e) {
      // the table is in an unknown state now, and with it every header to come
      throw new H2Violation(H2Error.COMPRESSION_ERROR, Evidence.describe(e));
    }
    return reading.block();
  }

  /** The fields of one block as they come; keeps the first fault and no field beyond the limits. */
  private static final class Reading {
    private final Map<String, String> kept = new HashMap<>();
    private int status = NO_STATUS;
    private long length = -1;
    private int fields;
    private boolean regular;
    private String fault = "";

    void add(String name, String value) {
      fields++;
      if (fields > FIELDS_MAX) {
        fail("more than " + FIELDS_MAX + " header fields");
      } else if (name.length() + value.length() > FIELD_LENGTH_MAX) {
        fail("a header field of more than " + FIELD_LENGTH_MAX + " characters");
      } else if (name.startsWith(":")) {
        pseudo(name, value);
      } else {
        regular(name, value);
      }
    }

    private void pseudo(String name, String value) {
      if (regular || !name.equals(":status") || status != NO_STATUS) {
        fail("a misplaced or unknown pseudo-header");
      } else if (!value.matches("[1-9][0-9]{2}")) {
        fail("an unusable status");
      } else {
        status = Integer.parseInt(value);
      }
    }

    private void regular(String name, String value) {
      regular = true;
      if (!name.equals(name.toLowerCase(Locale.ROOT))) {
        fail("a header name that is not in lower case");
      } else if (name.equals("content-length")) {
        announced(value);
      }
      Evidence.keep(kept, name, value);
    }

    private void announced(String value) {
      if (length >= 0 || !value.matches("[0-9]{1,18}")) {
        fail("an unusable content-length");
      } else {
        length = Long.parseLong(value);
      }
    }

    private void fail(String what) {
      if (fault.isEmpty()) {
        fault = what;
      }
    }

    Block block() {
      return new Block(status, Map.copyOf(kept), length, fault);
    }
  }
}
