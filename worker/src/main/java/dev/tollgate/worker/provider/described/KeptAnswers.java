package dev.tollgate.worker.provider.described;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers to creates that are results themselves, on disk before they count: an answer that is paid
 * and lost with its process could not be had again. In a folder that all workers share, one
 * sub-folder for each day. Thread-safe, between processes too.
 *
 * <p>An answer is deleted when three witnesses agree, since one clock that is wrong must not delete
 * what others have paid for: by this worker's clock its day is over for a week; by the times of the
 * file system it is a week older than the answer that was written just now; and it is not of the
 * newest {@value #DAYS_KEPT} days that there are. The last one is for a file system without a clock
 * of its own: a step of the worker's makes one new day, not fourteen. Only a clock that is ahead
 * for fourteen days of use, and that the file system takes its times from, deletes too early.
 */
final class KeptAnswers {
  private static final Logger log = LoggerFactory.getLogger(KeptAnswers.class);

  private static final Duration KEPT = Duration.ofDays(7);

  /** So many days stay, the newest ones by name, however old they look. */
  static final int DAYS_KEPT = 14;

  /** An id comes from outside: it must not lead out of the folder. */
  private static final Predicate<String> FILE_NAME =
      Pattern.compile("[A-Za-z0-9_-]{1,128}").asMatchPredicate();

  private static final Predicate<String> DAY =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}").asMatchPredicate();

  private final Path folder;
  private final InstantSource clock;

  KeptAnswers(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /**
   * Keeps an answer.
   *
   * @param id of the task: letters, digits, hyphens and underscores
   * @throws IOException if it is not certain to be on disk
   */
  void keep(String id, byte[] answer) throws IOException {
    if (!FILE_NAME.test(id)) {
      throw new IOException("'" + id + "' is no name for a file");
    }
    Path day = folder.resolve(today().toString());
    boolean first = !Files.isDirectory(day);
    if (first) {
      Files.createDirectories(day);
      sync(folder);
    }
    write(day, id, answer);
    if (first) {
      forgetOldDays(day.resolve(id));
    }
  }

  private static void write(Path day, String id, byte[] answer) throws IOException {
    Path temporary = day.resolve("." + UUID.randomUUID());
    try (FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(answer);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(temporary, day.resolve(id), StandardCopyOption.ATOMIC_MOVE);
    sync(day);
  }

  /** The answer that was kept for a task, if it is still there. */
  Optional<byte[]> find(String id) {
    if (!FILE_NAME.test(id)) {
      return Optional.empty();
    }
    for (Path day : days()) {
      try {
        return Optional.of(Files.readAllBytes(day.resolve(id)));
      } catch (NoSuchFileException _) {
        // another day's
      } catch (IOException e) {
        throw new UncheckedIOException("the kept answer of " + id + " cannot be read", e);
      }
    }
    return Optional.empty();
  }

  /** A fault here costs disk and no answer: the next day tries again. */
  private void forgetOldDays(Path justWritten) {
    try {
      Instant written = Files.getLastModifiedTime(justWritten).toInstant();
      String oldest = today().minusDays(KEPT.toDays()).toString();
      for (Path day : days().stream().skip(DAYS_KEPT).toList()) {
        if (day.getFileName().toString().compareTo(oldest) < 0) {
          forget(day, written.minus(KEPT));
        }
      }
    } catch (IOException | UncheckedIOException e) {
      log.warn("kept answers of old days could not be deleted: {}", e.toString());
    }
  }

  /** Deletes what was written before a moment, and the folder if it has been empty since. */
  private static void forget(Path day, Instant before) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.list(day)) {
      all = files.toList();
    }
    for (Path file : all) {
      if (Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
        Files.deleteIfExists(file);
      }
    }
    // one that was emptied just now waits: a colleague whose clock is behind may be about to write
    // into it
    if (all.isEmpty() && Files.getLastModifiedTime(day).toInstant().isBefore(before)) {
      Files.deleteIfExists(day);
    }
  }

  private List<Path> days() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> days = Files.list(folder)) {
      return days.filter(Files::isDirectory)
          .filter(KeptAnswers::isDay)
          .sorted(Comparator.reverseOrder())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("kept answers cannot be listed", e);
    }
  }

  private static boolean isDay(Path folder) {
    return DAY.test(folder.getFileName().toString());
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
