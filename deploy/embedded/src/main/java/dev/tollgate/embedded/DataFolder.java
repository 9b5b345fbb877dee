package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The folder that holds all servers' data, locked against a second process of ours for as long as
 * it is open. The lock goes with the process, however it ends.
 */
final class DataFolder implements AutoCloseable {
  private static final String LOCK = ".lock";

  private final Path root;
  private final boolean temporary;
  private final FileChannel lockFile;

  private DataFolder(Path root, boolean temporary, FileChannel lockFile) {
    this.root = root;
    this.temporary = temporary;
    this.lockFile = lockFile;
  }

  static DataFolder open(Optional<Path> stated) {
    try {
      Path root =
          stated.isPresent()
              ? Files.createDirectories(stated.get().toAbsolutePath())
              : Files.createTempDirectory("tollgate-services-");
      return new DataFolder(root, stated.isEmpty(), lock(root));
    } catch (IOException e) {
      throw new ServicesException(Reason.FILES, "cannot make the servers' data folder", e);
    }
  }

  private static FileChannel lock(Path root) throws IOException {
    FileChannel channel =
        FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (tryLock(channel) == null) {
      channel.close();
      throw new ServicesException(
          Reason.DATA_FOLDER_IN_USE,
          "another process runs its servers in %s; stop it, or use another folder".formatted(root));
    }
    return channel;
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException _) {
      return null; // held by this very process
    }
  }

  boolean temporary() {
    return temporary;
  }

  /** The folder of one server; the server makes it. */
  Path of(String server) {
    return root.resolve(server);
  }

  /** The unpacked programs: beside data that stays, else shared by everyone who comes and goes. */
  Binaries binaries() {
    return new Binaries(temporary ? Binaries.temporaryCache() : root.resolve("programs"));
  }

  /** Lets a server that runs as another user reach its own folder in here. */
  void letOthersPass() throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
  }

  LogFile log(String server) {
    return new LogFile(root.resolve("logs").resolve(server + ".log"));
  }

  /** Gives the folder back, and deletes it if it was temporary. */
  @Override
  public void close() {
    try {
      if (temporary) {
        Folders.delete(root);
      }
      lockFile.close();
    } catch (IOException e) {
      throw new ServicesException(Reason.FILES, "cannot tidy up " + root, e);
    }
  }
}
