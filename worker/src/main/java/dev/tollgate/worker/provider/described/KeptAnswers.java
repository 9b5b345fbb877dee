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

/**
 * Answers to creates that are results themselves, on disk before they count: an answer that is paid
 * and lost with its process could not be had again. In a folder that all workers share, one
 * sub-folder for each day; days beyond a week are deleted. Thread-safe, between processes too.
 */
final class KeptAnswers {
  private static final Duration KEPT = Duration.ofDays(7);

  /** An id comes from outside: it must not lead out of the folder. */
  private static final Predicate<String> FILE_NAME =
      Pattern.compile("[A-Za-z0-9_-]{1,128}").asMatchPredicate();

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
    if (!Files.isDirectory(day)) {
      Files.createDirectories(day);
      sync(folder);
      forgetOldDays();
    }
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

  private void forgetOldDays() throws IOException {
    String oldest = today().minusDays(KEPT.toDays()).toString();
    for (Path day : days()) {
      if (day.getFileName().toString().compareTo(oldest) < 0) {
        try (Stream<Path> files = Files.list(day)) {
          for (Path file : files.toList()) {
            Files.deleteIfExists(file);
          }
        }
        Files.deleteIfExists(day);
      }
    }
  }

  private List<Path> days() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> days = Files.list(folder)) {
      return days.filter(Files::isDirectory).sorted(Comparator.reverseOrder()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("kept answers cannot be listed", e);
    }
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
