package dev.tollgate.loadtest.audit;

import dev.tollgate.schema.store.StoredOutput;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds stored outputs against the files that lie there. Not for use by several threads. */
final class OutputFiles {
  private final Set<Path> files;
  private final Set<Path> claimed = new HashSet<>();

  OutputFiles(Set<Path> files) {
    this.files = files;
  }

  /** What is wrong with an output's file; nothing if it is whole and no one else's. */
  @Nullable String fault(StoredOutput output) {
    Path file;
    try {
      file = Path.of(URI.create(output.address()));
    } catch (RuntimeException _) {
      return output.address() + " is not a file's address";
    }
    if (!claimed.add(file)) {
      return file + " is two operations' output";
    }
    try {
      byte[] bytes = Files.readAllBytes(file);
      String digest = HexFormat.of().formatHex(sha256().digest(bytes));
      String wanted = HexFormat.of().formatHex(output.sha256());
      return bytes.length == output.length() && digest.equals(wanted)
          ? null
          : "%s has %d bytes and digest %s, not %d and %s"
              .formatted(file, bytes.length, digest, output.length(), wanted);
    } catch (IOException e) {
      return file + " cannot be read: " + e;
    }
  }

  /** Files that no stored output names, as far as {@link #fault} was asked. */
  List<Path> nobodys() {
    List<Path> left = new ArrayList<>(files);
    left.removeAll(claimed);
    left.sort(null);
    return left;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
