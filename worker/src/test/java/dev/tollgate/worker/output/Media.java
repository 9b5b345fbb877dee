package dev.tollgate.worker.output;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The smallest files of each kind that a player would open. */
final class Media {
  private Media() {}

  /** An MP4 of one picture track. */
  static byte[] movie(String data) {
    return join(brand(), box("moov", header(), track("vide", picture(320, 180))), mdat(data));
  }

  static byte[] sound(String data) {
    return join(brand(), box("moov", header(), track("soun", wave())), mdat(data));
  }

  static byte[] brand() {
    return box("ftyp", ascii("isom"), new byte[] {0, 0, 2, 0}, ascii("isommp41"));
  }

  static byte[] mdat(String data) {
    return box("mdat", ascii(data));
  }

  static byte[] header() {
    return box("mvhd", ByteBuffer.allocate(100).putInt(12, 1000).putInt(16, 1000).array());
  }

  static byte[] track(String handler, byte[] entry) {
    byte[] stbl = box("stbl", box("stsd", new byte[] {0, 0, 0, 0, 0, 0, 0, 1}, entry));
    byte[] hdlr = box("hdlr", new byte[8], ascii(handler), new byte[13]);
    byte[] mdhd = box("mdhd", ByteBuffer.allocate(24).putInt(12, 1000).putInt(16, 1000).array());
    return box("trak", box("tkhd", new byte[84]), box("mdia", mdhd, hdlr, box("minf", stbl)));
  }

  static byte[] picture(int width, int height) {
    ByteBuffer entry = ByteBuffer.allocate(78);
    entry.putShort(6, (short) 1).putShort(24, (short) width).putShort(26, (short) height);
    return box("avc1", entry.array());
  }

  private static byte[] wave() {
    ByteBuffer entry = ByteBuffer.allocate(28);
    entry.putShort(6, (short) 1).putShort(16, (short) 2).putShort(18, (short) 16);
    return box("mp4a", entry.putInt(24, 48000 << 16).array());
  }

  static byte[] box(String type, byte[]... content) {
    byte[] inside = join(content);
    byte[] head = ByteBuffer.allocate(8).putInt(8 + inside.length).put(ascii(type)).array();
    return join(head, inside);
  }

  static byte[] png(int width, int height) {
    byte[] header = ByteBuffer.allocate(13).putInt(width).putInt(height).array();
    return join(
        new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'},
        chunk("IHDR", header),
        chunk("IDAT", new byte[20]),
        chunk("IEND", new byte[0]));
  }

  private static byte[] chunk(String type, byte[] data) {
    byte[] head = ByteBuffer.allocate(8).putInt(data.length).put(ascii(type)).array();
    return join(head, data, new byte[4]);
  }

  static byte[] jpeg() {
    byte[] frame = {(byte) 0xff, (byte) 0xc0, 0, 11, 8, 0, 16, 0, 32, 1, 1, 0x11, 0};
    byte[] scan = {(byte) 0xff, (byte) 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3};
    return join(
        new byte[] {(byte) 0xff, (byte) 0xd8}, frame, scan, new byte[] {(byte) 0xff, (byte) 0xd9});
  }

  static byte[] wav(int announced, int length) {
    ByteBuffer head = ByteBuffer.allocate(44).order(ByteOrder.LITTLE_ENDIAN);
    head.put(ascii("RIFF")).putInt(36 + announced).put(ascii("WAVEfmt ")).putInt(16);
    head.putShort((short) 1).putShort((short) 2).putInt(48000).putInt(192000);
    head.putShort((short) 4).putShort((short) 16).put(ascii("data")).putInt(announced);
    return join(head.array(), new byte[length]);
  }

  static byte[] mp3() {
    return join(new byte[] {(byte) 0xff, (byte) 0xfb, (byte) 0x90, 0}, new byte[413]);
  }

  static byte[] webm(String type) {
    return join(
        new byte[] {0x1a, 0x45, (byte) 0xdf, (byte) 0xa3, (byte) 0x87, 0x42, (byte) 0x82},
        new byte[] {(byte) (0x80 | type.length())},
        ascii(type),
        new byte[] {0x18, 0x53, (byte) 0x80, 0x67, 1, 2, 3});
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
