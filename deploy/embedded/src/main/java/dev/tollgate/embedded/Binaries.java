package dev.tollgate.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tollgate.embedded.ServicesException.Reason;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/**
 * The servers' programs, unpacked once from the class path into folders named by their content. A
 * folder that misses a file (temporary folders get swept) is unpacked again. Safe against other
 * threads and processes.
 */
final class Binaries {
  /** Written last: one line for each file that belongs here, with its size. */
  private static final String INVENTORY = ".inventory";

  private static final Object LOCK = new Object();

  private final Path cache;

  Binaries(Path cache) {
    this.cache = cache;
  }

  /** The folder that holds {@code bin/initdb} and {@code bin/postgres}. */
  Path postgres() {
    String system = System.getProperty("os.name").startsWith("Mac") ? "Darwin" : "Linux";
    try (InputStream archive =
        DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, System.getProperty("os.arch"))) {
      byte[] bytes = archive.readAllBytes();
      return unpacked("postgres", bytes, folder -> untar(bytes, folder));
    } catch (IOException | IllegalStateException e) {
      throw unsupported("PostgreSQL", e);
    }
  }

  /** The Redis server's program. */
  Path redis() {
    String resource =
        ExecutableProvider.newProvidedVersionsMap().get(OsArchitecture.detectOSandArchitecture());
    try (InputStream program =
        resource == null
            ? null
            : ExecutableProvider.class.getResourceAsStream(
                resource.startsWith("/") ? resource : "/" + resource)) {
      if (program == null) {
        throw new IOException("no program for this system among the libraries");
      }
      byte[] bytes = program.readAllBytes();
      return unpacked("redis", bytes, folder -> executable(bytes, folder.resolve("redis-server")))
          .resolve("redis-server");
    } catch (IOException e) {
      throw unsupported("Redis", e);
    }
  }

  private static ServicesException unsupported(String server, Exception cause) {
    return new ServicesException(
        Reason.UNSUPPORTED_PLATFORM,
        "no %s could be unpacked for %s on %s; use containers here"
            .formatted(server, System.getProperty("os.name"), System.getProperty("os.arch")),
        cause);
  }

  private interface Unpacker {
    void into(Path folder) throws IOException;
  }

  private Path unpacked(String name, byte[] content, Unpacker unpacker) throws IOException {
    Path folder = cache.resolve(name + "-" + digest(content));
    synchronized (LOCK) {
      makePrivate(cache);
      try (FileChannel lockFile =
          FileChannel.open(
              cache.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        lockFile.lock(); // given back when the channel closes
        if (!complete(folder)) {
          unpack(folder, unpacker);
        }
      }
    }
    return folder;
  }

  /** Others may read, or a server that runs as another user could not start; none may write. */
  private static void makePrivate(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path mine = Files.createTempFile(folder, ".owner", "");
    UserPrincipal me = Files.getOwner(mine);
    Files.delete(mine);
    UserPrincipal owner = Files.getOwner(folder);
    if (!owner.equals(me)) {
      throw new IOException(
          "%s belongs to %s: programs from there are not run; remove it".formatted(folder, owner));
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @GuardedBy("LOCK")
  private void unpack(Path folder, Unpacker unpacker) throws IOException {
    Folders.delete(folder);
    Path unfinished = cache.resolve(folder.getFileName() + ".unfinished");
    Folders.delete(unfinished);
    Files.createDirectories(unfinished);
    unpacker.into(unfinished);
    Files.write(unfinished.resolve(INVENTORY), inventory(unfinished));
    Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean complete(Path folder) throws IOException {
    Path list = folder.resolve(INVENTORY);
    return Files.exists(list) && Files.readAllLines(list).equals(inventory(folder));
  }

  private static List<String> inventory(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        if (!file.endsWith(INVENTORY)) {
          lines.add(Files.size(file) + " " + folder.relativize(file));
        }
      }
    }
    return lines;
  }

  private static String digest(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void executable(byte[] content, Path file) throws IOException {
    Files.write(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void untar(byte[] archive, Path folder) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new XZCompressorInputStream(new ByteArrayInputStream(archive)),
            StandardCharsets.UTF_8.name())) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        untar(entry, tar, folder);
      }
    }
  }

  private static void untar(TarArchiveEntry entry, InputStream content, Path folder)
      throws IOException {
    Path target = folder.resolve(entry.getName()).normalize();
    if (!target.startsWith(folder)) {
      throw new IOException("entry leaves its folder: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.copy(content, target);
      boolean runs = (entry.getMode() & 0100) != 0;
      Files.setPosixFilePermissions(
          target, PosixFilePermissions.fromString(runs ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }

  /** The cache of servers that come and go with their data. */
  static Path temporaryCache() {
    String user = System.getProperty("user.name").toLowerCase(Locale.ROOT);
    return Path.of(System.getProperty("java.io.tmpdir"), "tollgate-programs-" + user);
  }
}
