package dev.tollgate.worker.output;

import com.drew.imaging.FileType;
import com.drew.imaging.FileTypeDetector;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks into the head of an output: is it what was announced, is it all there, would a player know
 * it? It decodes nothing and reads little, whatever the file's length; what it does not know passes
 * with a note. Stateless.
 */
final class MediaProbe {
  private static final int HEAD_BYTES = 4 * 1024;

  /** Kinds of operations whose outputs are media, where the provider does not say what they are. */
  private static final Set<String> MEDIA_KINDS =
      Set.of("video", "image", "audio", "speech", "music");

  /** Types under which the same bytes go. */
  private static final Map<String, Family> ANNOUNCED =
      Map.ofEntries(
          Map.entry("video/mp4", Family.MOVIE),
          Map.entry("video/x-m4v", Family.MOVIE),
          Map.entry("video/quicktime", Family.MOVIE),
          Map.entry("audio/mp4", Family.MOVIE),
          Map.entry("audio/x-m4a", Family.MOVIE),
          Map.entry("video/webm", Family.WEBM),
          Map.entry("audio/webm", Family.WEBM),
          Map.entry("video/x-matroska", Family.WEBM),
          Map.entry("image/png", Family.PNG),
          Map.entry("image/jpeg", Family.JPEG),
          Map.entry("image/jpg", Family.JPEG),
          Map.entry("audio/wav", Family.WAV),
          Map.entry("audio/wave", Family.WAV),
          Map.entry("audio/x-wav", Family.WAV),
          Map.entry("audio/vnd.wave", Family.WAV),
          Map.entry("audio/mpeg", Family.MP3),
          Map.entry("audio/mp3", Family.MP3));

  private MediaProbe() {}

  /** Containers that are looked into. */
  enum Family {
    MOVIE,
    WEBM,
    PNG,
    JPEG,
    WAV,
    MP3
  }

  /** What was found. */
  sealed interface Probed {
    /**
     * Nothing speaks against it.
     *
     * @param type its media type as the head shows it, where that is known
     * @param note for people
     */
    record Passed(Optional<String> type, String note) implements Probed {}

    /** It is not what it should be. */
    record Refused(String why) implements Probed {}
  }

  /**
   * Looks.
   *
   * @param announced the media type that the provider names
   * @param kind of the operation
   */
  static Probed probe(Path file, Optional<String> announced, String kind) throws IOException {
    byte[] head = head(file);
    String type = announced.map(MediaProbe::plain).orElse("");
    Optional<String> page = ErrorPages.page(head);
    if (page.isPresent() && !mayBeText(type, kind)) {
      return new Probed.Refused("it is " + page.get() + ", not what was asked for");
    }
    FileType found = FileTypeDetector.detectFileType(new ByteArrayInputStream(head));
    Optional<Family> family = family(found, head);
    Optional<Family> wanted = Optional.ofNullable(ANNOUNCED.get(type));
    if (wanted.isPresent() && !wanted.equals(family)) {
      String is = family.isPresent() || found != FileType.Unknown ? found.getName() : "not known";
      return new Probed.Refused("announced as " + type + "; by its head it is " + is);
    }
    if (family.isEmpty()) {
      return found == FileType.Unknown
          ? new Probed.Passed(Optional.empty(), "of a type we do not know")
          : new Probed.Passed(
              Optional.ofNullable(found.getMimeType()), found.getName() + ", not looked into");
    }
    try {
      return inside(family.get(), head, file);
    } catch (EOFException _) {
      return new Probed.Refused("it ends within its head");
    } catch (StackOverflowError _) {
      return new Probed.Refused("its head is nested without end");
    }
  }

  private static Probed inside(Family family, byte[] head, Path file) throws IOException {
    return switch (family) {
      case MOVIE -> Movies.probe(file);
      case WEBM -> Heads.webm(head);
      case PNG -> Heads.png(head, file);
      case JPEG -> Heads.jpeg(file);
      case WAV -> Heads.wav(head, Files.size(file));
      case MP3 -> Heads.mp3(head);
    };
  }

  private static Optional<Family> family(FileType found, byte[] head) {
    return switch (found) {
      case Mp4, QuickTime -> Optional.of(Family.MOVIE);
      case Png -> Optional.of(Family.PNG);
      case Jpeg -> Optional.of(Family.JPEG);
      case Wav -> Optional.of(Family.WAV);
      case Mp3 -> Optional.of(Family.MP3);
      default -> {
        // of brands that the library does not list, and one container that it does not know
        if (found == FileType.Unknown && Heads.startsWith(head, 4, "ftyp")) {
          yield Optional.of(Family.MOVIE);
        }
        if (Heads.isEbml(head)) {
          yield Optional.of(Family.WEBM);
        }
        boolean mp3 = Heads.startsWith(head, 0, "ID3") || Heads.isMp3(head, 0);
        yield mp3 ? Optional.of(Family.MP3) : Optional.empty();
      }
    };
  }

  private static boolean mayBeText(String type, String kind) {
    if (type.isEmpty() || type.equals("application/octet-stream")) {
      return !MEDIA_KINDS.contains(kind);
    }
    boolean media =
        type.startsWith("video/") || type.startsWith("image/") || type.startsWith("audio/");
    return !media || type.endsWith("+xml");
  }

  private static String plain(String type) {
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private static byte[] head(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return in.readNBytes(HEAD_BYTES);
    }
  }
}
