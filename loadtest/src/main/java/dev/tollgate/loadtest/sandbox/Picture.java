package dev.tollgate.loadtest.sandbox;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.Adler32;
import java.util.zip.CRC32;

/**
 * A valid PNG made from a task's id: 8 x 8 grey noise, and a private chunk that gives it its size.
 */
final class Picture {
  private static final int SIDE = 8;
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

  /** Bytes that every chunk takes beside its data: length, type, checksum. */
  private static final int CHUNK_FRAME = 12;

  private static final int PIXEL_BYTES = SIDE * (SIDE + 1);
  private static final int ZLIB_BYTES = 2 + 5 + PIXEL_BYTES + 4;
  private static final int SMALLEST =
      SIGNATURE.length + CHUNK_FRAME + 13 + CHUNK_FRAME + ZLIB_BYTES + CHUNK_FRAME;

  private Picture() {}

  /** How many bytes the picture of a wanted size has: it has a smallest size. */
  static int length(int size) {
    return size < SMALLEST + CHUNK_FRAME ? SMALLEST : size;
  }

  static byte[] of(String id, int size) {
    SplittableRandom random = new SplittableRandom(FaultPlan.hash(id));
    int filler = size - SMALLEST - CHUNK_FRAME;
    ByteBuffer png = ByteBuffer.allocate(length(size));
    png.put(SIGNATURE);
    chunk(png, "IHDR", header());
    chunk(png, "IDAT", pixels(random));
    if (filler >= 0) {
      byte[] bytes = new byte[filler];
      random.nextBytes(bytes);
      chunk(png, "sbOx", bytes);
    }
    chunk(png, "IEND", new byte[0]);
    return png.array();
  }

  private static byte[] header() {
    // eight bits of grey, deflate, the standard filters, not interlaced
    return ByteBuffer.allocate(13)
        .putInt(SIDE)
        .putInt(SIDE)
        .put(new byte[] {8, 0, 0, 0, 0})
        .array();
  }

  /** A zlib stream with one stored block. */
  private static byte[] pixels(SplittableRandom random) {
    byte[] rows = new byte[PIXEL_BYTES];
    random.nextBytes(rows);
    for (int row = 0; row < SIDE; row++) {
      rows[row * (SIDE + 1)] = 0; // no filter
    }
    Adler32 adler = new Adler32();
    adler.update(rows);
    return ByteBuffer.allocate(ZLIB_BYTES)
        .put(new byte[] {0x78, 0x01, 1})
        .put(new byte[] {PIXEL_BYTES, 0, (byte) ~PIXEL_BYTES, (byte) 0xFF})
        .put(rows)
        .putInt((int) adler.getValue())
        .array();
  }

  private static void chunk(ByteBuffer png, String type, byte[] data) {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 crc = new CRC32();
    crc.update(name);
    crc.update(data);
    png.putInt(data.length).put(name).put(data).putInt((int) crc.getValue());
  }
}
