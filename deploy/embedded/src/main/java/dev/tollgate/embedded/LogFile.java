package dev.tollgate.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;

/** What a server printed. The file is shifted aside once, at a start, when it has grown large. */
record LogFile(Path path) {
  private static final long MAX_BYTES = 16L << 20;

  private static final int TAIL_LINES = 30;

  void shiftIfLarge() throws IOException {
    Files.createDirectories(path.toAbsolutePath().getParent());
    if (Files.exists(path) && Files.size(path) > MAX_BYTES) {
      Path old = path.resolveSibling(path.getFileName() + ".1");
      Files.move(path, old, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** The last lines, indented, for an error message. */
  String tail() {
    try {
      return "last lines of "
          + path
          + ":\n"
          + tail(Files.readString(path, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return "its log " + path + " cannot be read: " + e;
    }
  }

  /** The last lines of a text, indented. */
  static String tail(String text) {
    List<String> lines = text.lines().toList();
    return lines.stream()
        .skip(Math.max(0, lines.size() - TAIL_LINES))
        .map(line -> "  " + line)
        .collect(Collectors.joining("\n"));
  }
}
