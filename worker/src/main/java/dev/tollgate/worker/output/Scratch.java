package dev.tollgate.worker.output;

import dev.tollgate.schema.key.OperationKey;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of downloads under way: {@code .partial} in the outputs' folder. Each has a file of
 * its own, since two processes may follow one task at once. Thread-safe, between processes too.
 */
public final class Scratch {
  private static final Logger log = LoggerFactory.getLogger(Scratch.class);

  /** Far longer than any download may take: what was not written to for so long is nobody's. */
  private static final Duration ABANDONED_AFTER = Duration.ofDays(1);

  private final Path folder;

  /** Nothing is made before it is used. */
  public Scratch(Path outputs) {
    this.folder = outputs.resolve(".partial");
  }

  /** A name for a file that does not exist yet, in a folder that does. */
  Path file(OperationKey key) throws IOException {
    Files.createDirectories(folder);
    return folder.resolve(key.hash() + "-" + UUID.randomUUID());
  }

  /** Deletes what processes that died have left behind. What cannot be deleted is reported. */
  public void sweep(Instant now) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        sweep(file, now.minus(ABANDONED_AFTER));
      }
    } catch (IOException e) {
      log.warn("downloads that were left behind in {} could not be looked through", folder, e);
    }
  }

  private static void sweep(Path file, Instant before) throws IOException {
    try {
      if (Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
        Files.deleteIfExists(file);
        log.info("deleted {}, a download that nobody finished", file);
      }
    } catch (NoSuchFileException _) {
      // another process was quicker
    }
  }
}
