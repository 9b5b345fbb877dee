package dev.tollgate.worker.follow;

import dev.tollgate.schema.key.OperationKey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Outputs in a local folder, at a place that the operation key alone decides: {@code <kind>/<first
 * two digits>/<hash>}. Thread-safe, between processes too.
 */
public final class OutputStore {
  private static final int BUFFER = 64 * 1024;

  private final Path folder;

  public OutputStore(Path folder) {
    this.folder = folder;
  }

  /** What lies at an operation's place. */
  record Kept(Path path, String sha256, boolean ours) {}

  /** A file of its own for a download under way. */
  Path temporary(OperationKey key) throws IOException {
    Path partial = folder.resolve(".partial");
    Files.createDirectories(partial);
    return partial.resolve(key.hash() + "-" + UUID.randomUUID());
  }

  /**
   * Puts a verified file in the operation's place, unless something is there already; then that is
   * what is kept.
   *
   * @param sha256 digest of the temporary file, in hexadecimal
   */
  Kept keep(OperationKey key, Path temporary, String sha256) throws IOException {
    Path place = place(key);
    Path parent = shelf(key);
    Files.createDirectories(parent);
    sync(temporary);
    try {
      Files.createLink(place, temporary);
      sync(parent);
      return new Kept(place, sha256, true);
    } catch (FileAlreadyExistsException _) {
      return new Kept(place, digest(place), false);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Where the output of an operation lies, or will lie. */
  public Path place(OperationKey key) {
    return shelf(key).resolve(key.hash().toString());
  }

  private Path shelf(OperationKey key) {
    return folder
        .resolve(key.kind())
        .resolve(key.hash().toString().substring(0, 2))
        .toAbsolutePath();
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static String digest(Path file) throws IOException {
    try (var in = new DigestInputStream(Files.newInputStream(file), sha256())) {
      byte[] buffer = new byte[BUFFER];
      while (in.read(buffer) >= 0) {
        // only the digest matters
      }
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
