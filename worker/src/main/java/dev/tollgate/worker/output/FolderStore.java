package dev.tollgate.worker.output;

import dev.tollgate.schema.key.OperationKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Outputs in a folder. A file is flushed and then linked to its place, which fails where something
 * is there already: so what lies at a place is always whole. Thread-safe, between processes too.
 */
public final class FolderStore implements OutputStore {
  private final Path folder;

  /**
   * @param folder of one file system, together with the {@link Scratch} folder in it: files are
   *     linked from there
   */
  public FolderStore(Path folder) {
    this.folder = folder.toAbsolutePath();
  }

  @Override
  public Optional<Kept> find(OperationKey key) throws IOException {
    Path place = folder.resolve(Place.of(key));
    try (InputStream in = Files.newInputStream(place)) {
      Digests.Digest lies = Digests.of(in);
      return Optional.of(new Kept(place.toUri(), lies.sha256(), lies.length()));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  @Override
  public Kept keep(OperationKey key, Verified file) throws IOException {
    Path place = folder.resolve(Place.of(key));
    Path shelf = place.resolveSibling("");
    Files.createDirectories(shelf);
    sync(file.file());
    try {
      Files.createLink(place, file.file());
      sync(shelf);
      return new Kept(place.toUri(), file.sha256(), file.length());
    } catch (FileAlreadyExistsException e) {
      // whoever linked it may not have come to flushing the folder
      sync(shelf);
      return find(key).orElseThrow(() -> e);
    }
  }

  @Override
  public void close() {
    // nothing is open
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
