package dev.tollgate.worker.output;

import com.drew.imaging.jpeg.JpegMetadataReader;
import com.drew.imaging.jpeg.JpegProcessingException;
import com.drew.metadata.jpeg.JpegDirectory;
import com.drew.metadata.jpeg.JpegReader;
import dev.tollgate.worker.output.MediaProbe.Probed;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Heads of the simple containers. Lengths in them are somebody else's: none is believed before it
 * is compared with what is there. Stateless.
 */
final class Heads {
  private static final int EBML = 0x1a45dfa3;
  private static final int PNG_END = 12;

  /** A trailer that some cameras and services add behind an image. */
  private static final int JPEG_TAIL = 64 * 1024;

  private Heads() {}

  static Probed png(byte[] head, Path file) throws IOException {
    if (head.length < 33 || !startsWith(head, 12, "IHDR") || at(head, 8) != 13) {
      return new Probed.Refused("a PNG without its header");
    }
    byte[] end = tail(file, PNG_END);
    return startsWith(end, 4, "IEND")
        ? sized("image/png", at(head, 16), at(head, 20))
        : new Probed.Refused("a PNG that is cut");
  }

  static Probed jpeg(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      JpegDirectory frame =
          JpegMetadataReader.readMetadata(in, List.of(new JpegReader()))
              .getFirstDirectoryOfType(JpegDirectory.class);
      if (frame == null) {
        return new Probed.Refused("a JPEG without an image");
      }
      if (!ends(tail(file, JPEG_TAIL))) {
        return new Probed.Refused("a JPEG that is cut");
      }
      Integer width = frame.getInteger(JpegDirectory.TAG_IMAGE_WIDTH);
      Integer height = frame.getInteger(JpegDirectory.TAG_IMAGE_HEIGHT);
      return sized("image/jpeg", width == null ? 0 : width, height == null ? 0 : height);
    } catch (JpegProcessingException e) {
      return new Probed.Refused("a JPEG that cannot be read");
    }
  }

  private static boolean ends(byte[] tail) {
    for (int i = tail.length - 2; i >= 0; i--) {
      if (tail[i] == (byte) 0xff && tail[i + 1] == (byte) 0xd9) {
        return true;
      }
    }
    return false;
  }

  static Probed wav(byte[] head, long length) {
    ByteBuffer bytes = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(Math.min(12, head.length));
    Optional<String> format = Optional.empty();
    while (bytes.remaining() >= 8) {
      int name = bytes.position();
      long size = Integer.toUnsignedLong(bytes.getInt(name + 4));
      bytes.position(name + 8);
      if (startsWith(head, name, "fmt ") && size >= 16 && bytes.remaining() >= 16) {
        format = format(bytes, name + 8);
      } else if (startsWith(head, name, "data")) {
        return data(format, size, length - bytes.position());
      }
      long next = bytes.position() + size + (size & 1);
      if (next > head.length) {
        break;
      }
      bytes.position((int) next);
    }
    return format
        .<Probed>map(found -> new Probed.Passed(Optional.of("audio/wav"), "WAV, " + found))
        .orElseGet(() -> new Probed.Refused("a WAV without a format"));
  }

  private static Optional<String> format(ByteBuffer bytes, int at) {
    int channels = Short.toUnsignedInt(bytes.getShort(at + 2));
    int rate = bytes.getInt(at + 4);
    return channels > 0 && rate > 0
        ? Optional.of("%d channels, %d Hz".formatted(channels, rate))
        : Optional.empty();
  }

  private static Probed data(Optional<String> format, long size, long there) {
    if (format.isEmpty()) {
      return new Probed.Refused("a WAV without a format");
    }
    // who writes to a pipe cannot know the length, and leaves it at nothing or at the most
    boolean open = size == 0 || size >= 0x7fffffffL;
    if (there <= 0 || (!open && size > there)) {
      return new Probed.Refused("a WAV that is cut");
    }
    return new Probed.Passed(Optional.of("audio/wav"), "WAV, " + format.get());
  }

  static Probed mp3(byte[] head) {
    // what is behind a tag that is longer than the head is not looked at
    int at = startsWith(head, 0, "ID3") && head.length >= 10 ? 10 + syncsafe(head, 6) : 0;
    return at >= head.length - 4 || isMp3(head, at)
        ? new Probed.Passed(Optional.of("audio/mpeg"), "MP3")
        : new Probed.Refused("an MP3 without a frame");
  }

  private static int syncsafe(byte[] head, int at) {
    return (head[at] & 0x7f) << 21
        | (head[at + 1] & 0x7f) << 14
        | (head[at + 2] & 0x7f) << 7
        | (head[at + 3] & 0x7f);
  }

  /** Whether the header of a frame of layer III stands here. */
  static boolean isMp3(byte[] head, int at) {
    if (at + 4 > head.length || (at(head, at) & 0xffe00000) != 0xffe00000) {
      return false;
    }
    int frame = at(head, at);
    int version = frame >> 19 & 3;
    int layer = frame >> 17 & 3;
    int bitrate = frame >> 12 & 15;
    int rate = frame >> 10 & 3;
    return version != 1 && layer == 1 && bitrate != 0 && bitrate != 15 && rate != 3;
  }

  static boolean isEbml(byte[] head) {
    return head.length >= 4 && at(head, 0) == EBML;
  }

  /** Its type stands in the first element, within the first few dozens of bytes. */
  static Probed webm(byte[] head) {
    String start = new String(head, 0, Math.min(head.length, 96), StandardCharsets.ISO_8859_1);
    boolean segment = new String(head, StandardCharsets.ISO_8859_1).contains("\u0018S\u0080g");
    if (!segment) {
      return new Probed.Refused("a WebM without a segment");
    }
    return start.contains("webm")
        ? new Probed.Passed(Optional.of("video/webm"), "WebM")
        : new Probed.Passed(Optional.of("video/x-matroska"), "Matroska");
  }

  private static Probed sized(String type, int width, int height) {
    return width > 0 && height > 0
        ? new Probed.Passed(Optional.of(type), "%s %dx%d".formatted(type, width, height))
        : new Probed.Refused("an image without a size");
  }

  static boolean startsWith(byte[] bytes, int at, String word) {
    byte[] ascii = word.getBytes(StandardCharsets.US_ASCII);
    return at >= 0
        && bytes.length >= at + ascii.length
        && Arrays.equals(bytes, at, at + ascii.length, ascii, 0, ascii.length);
  }

  private static int at(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes).getInt(at);
  }

  private static byte[] tail(Path file, int count) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.position(Math.max(0, channel.size() - count));
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, channel.size()));
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // until it is full
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }
}
