package dev.tollgate.cli;

import java.nio.file.Path;
import java.util.Objects;

/** Where the program was started from, by the script {@code deploy/tollgate}. */
final class Project {
  /** Not under {@code tollgate.}, where every name is a setting. */
  private static final String ROOT = "dev.tollgate.root";

  private Project() {}

  /** The project's folder; the working directory when the script did not start this. */
  static Path root() {
    return Path.of(Objects.requireNonNullElse(System.getProperty(ROOT), ""))
        .toAbsolutePath()
        .normalize();
  }

  /** Where {@code up} keeps everything unless told otherwise. */
  static Path data() {
    return root().resolve(".tollgate");
  }

  /** The configuration that {@code up} writes into its data folder. */
  static Path configIn(Path data) {
    return data.resolve("tollgate.properties");
  }

  /** A path as one would type it from here, if that is shorter. */
  static String typed(Path path) {
    Path here = Path.of("").toAbsolutePath();
    Path absolute = path.toAbsolutePath().normalize();
    String full = absolute.toString();
    if (!absolute.startsWith(here)) {
      return full;
    }
    String relative = here.relativize(absolute).toString();
    return relative.isEmpty() ? "." : relative;
  }
}
