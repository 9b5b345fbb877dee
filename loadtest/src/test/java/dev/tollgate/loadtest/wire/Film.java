package dev.tollgate.loadtest.wire;

/**
 * The smallest MP4 of one picture track that says a text. Every byte of it is ASCII, so that it can
 * be a string.
 */
final class Film {
  private Film() {}

  static String of(String text) {
    String entry = box("avc1", zeros(7) + "\1" + zeros(16) + "\0\100\0\40" + zeros(50));
    String table = box("stbl", box("stsd", "\0\0\0\0\0\0\0\1" + entry));
    String handler = box("hdlr", zeros(8) + "vide" + zeros(13));
    String scale = zeros(12) + "\0\0\1\0\0\0\1\0";
    String media = box("mdia", box("mdhd", scale + zeros(4)) + handler + box("minf", table));
    String track = box("trak", box("tkhd", zeros(84)) + media);
    String movie = box("moov", box("mvhd", scale + zeros(80)) + track);
    return box("ftyp", "isom\0\0\2\0isommp41") + movie + box("mdat", text);
  }

  /** Of a length, both of the lowest bytes have to be ASCII: what is not is made longer. */
  private static String box(String type, String content) {
    int over = 256 - (8 + content.length()) % 256;
    String padded = over <= 128 ? content + free(over) : content;
    int length = 8 + padded.length();
    return "\0\0" + (char) (length / 256) + (char) (length % 256) + type + padded;
  }

  private static String free(int least) {
    int length = Math.max(8, Math.min(least, 120));
    return "\0\0\0" + (char) length + "free" + zeros(length - 8) + (least > 120 ? free(8) : "");
  }

  private static String zeros(int count) {
    return "\0".repeat(count);
  }
}
