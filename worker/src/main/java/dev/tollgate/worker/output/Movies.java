package dev.tollgate.worker.output;

import com.drew.imaging.mp4.Mp4MetadataReader;
import com.drew.metadata.Directory;
import com.drew.metadata.Metadata;
import com.drew.metadata.mp4.media.Mp4SoundDirectory;
import com.drew.metadata.mp4.media.Mp4VideoDirectory;
import dev.tollgate.worker.output.MediaProbe.Probed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * MP4 and MOV: boxes in boxes. Every box has to lie within what holds it, so that a cut file is
 * found out, and so that the library that reads the movie's head never meets a length that is not
 * there: it would make room for it. Stateless.
 */
final class Movies {
  /** Ten times what an hour's tables take. */
  private static final long HEAD_MAX = 16L * 1024 * 1024;

  /** Nobody's movie has so many at its top; fragments of an hour are some thousands. */
  private static final int BOXES_MAX = 100_000;

  private static final int BOX_HEAD = 8;
  private static final int LONG_BOX_HEAD = 16;

  /** Boxes that the library descends into or reads. */
  private static final Set<String> HOLDERS = Set.of("trak", "mdia", "minf", "stbl");

  private Movies() {}

  /**
   * A box.
   *
   * @param from where its content begins
   * @param to where it ends
   */
  private record Box(String type, long from, long to) {}

  static Probed probe(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      Box movie = null;
      boolean data = false;
      long end = channel.size();
      int boxes = 0;
      for (long at = 0; at < end; ) {
        Box box = box(channel, at, end);
        if (box == null || ++boxes > BOXES_MAX) {
          return new Probed.Refused("a movie that is cut, or damaged, at byte " + at);
        }
        movie = box.type.equals("moov") ? box : movie;
        data |= box.type.equals("mdat");
        at = box.to;
      }
      if (movie == null || !data) {
        return new Probed.Refused(
            movie == null ? "a movie without its head: no moov" : "a movie without data: no mdat");
      }
      return movie.to - movie.from > HEAD_MAX
          ? new Probed.Passed(Optional.of("video/mp4"), "a movie with a long head, not looked into")
          : tracks(head(channel, movie));
    }
  }

  private static @Nullable Box box(FileChannel channel, long at, long end) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(LONG_BOX_HEAD);
    channel.position(at);
    while (head.hasRemaining() && channel.read(head) >= 0) {
      // until it is full
    }
    return box(head.flip(), 0, at, end);
  }

  /** The box whose head stands at {@code index}; null where it does not lie within its holder. */
  private static @Nullable Box box(ByteBuffer bytes, int index, long at, long end) {
    int room = bytes.limit() - index;
    if (room < BOX_HEAD) {
      return null;
    }
    long size = Integer.toUnsignedLong(bytes.getInt(index));
    byte[] type = new byte[4];
    bytes.get(index + 4, type);
    int head = BOX_HEAD;
    if (size == 1) {
      if (room < LONG_BOX_HEAD) {
        return null;
      }
      size = bytes.getLong(index + 8);
      head = LONG_BOX_HEAD;
    } else if (size == 0) {
      size = end - at; // to the end
    }
    boolean fits = size >= head && size <= end - at;
    return fits
        ? new Box(new String(type, StandardCharsets.ISO_8859_1), at + head, at + size)
        : null;
  }

  private static byte[] head(FileChannel channel, Box movie) throws IOException {
    int length = (int) (movie.to - movie.from);
    ByteBuffer bytes = ByteBuffer.allocate(BOX_HEAD + length);
    bytes.putInt(BOX_HEAD + length).put("moov".getBytes(StandardCharsets.US_ASCII));
    channel.position(movie.from);
    while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
      // until it is full
    }
    return bytes.array();
  }

  private static Probed tracks(byte[] movie) {
    if (!isSound(ByteBuffer.wrap(movie), BOX_HEAD, movie.length)) {
      return new Probed.Refused("a movie with a damaged head");
    }
    Metadata metadata = Mp4MetadataReader.readMetadata(new ByteArrayInputStream(movie));
    StringJoiner tracks = new StringJoiner(", ", "movie: ", "");
    int count = 0;
    for (Mp4VideoDirectory video : metadata.getDirectoriesOfType(Mp4VideoDirectory.class)) {
      Integer width = video.getInteger(Mp4VideoDirectory.TAG_WIDTH);
      Integer height = video.getInteger(Mp4VideoDirectory.TAG_HEIGHT);
      if (width == null || height == null || width <= 0 || height <= 0) {
        return new Probed.Refused("a movie whose picture has no size");
      }
      tracks.add(
          "%s %dx%d".formatted(word(video, Mp4VideoDirectory.TAG_COMPRESSION_TYPE), width, height));
      count++;
    }
    for (Mp4SoundDirectory sound : metadata.getDirectoriesOfType(Mp4SoundDirectory.class)) {
      tracks.add(word(sound, Mp4SoundDirectory.TAG_AUDIO_FORMAT));
      count++;
    }
    return count == 0
        ? new Probed.Refused("a movie without a picture and without a sound")
        : new Probed.Passed(Optional.of("video/mp4"), tracks.toString());
  }

  private static boolean isSound(ByteBuffer bytes, int from, int to) {
    for (int at = from; at < to; ) {
      Box box = at > to - BOX_HEAD ? null : box(bytes, at, at, to);
      if (box != null && bytes.getInt(at) == 0) {
        return false; // "to the end" is for the last one at the top alone
      }
      if (box == null) {
        return at > from && to - at < BOX_HEAD; // QuickTime ends some lists with a zero
      }
      if (HOLDERS.contains(box.type) && !isSound(bytes, (int) box.from, (int) box.to)) {
        return false;
      }
      at = (int) box.to;
    }
    return true;
  }

  /** Printable, whatever the file says. */
  private static String word(Directory directory, int tag) {
    String text = directory.getString(tag);
    return text == null ? "?" : text.strip().replaceAll("[^\\x20-\\x7e]", "?");
  }
}
