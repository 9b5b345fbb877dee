package dev.tollgate.embedded;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jars that this process runs on, for a Java child. It follows the {@code Class-Path} of
 * manifests, since build tools and packaged programs often name the real class path only there.
 */
final class ClassPath {
  private ClassPath() {}

  static String jars() {
    return jars(System.getProperty("java.class.path")).stream()
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The jars of a class path, of the manifests on it, and the broker's. */
  static Set<Path> jars(String classPath) {
    Deque<Path> open = new ArrayDeque<>();
    Arrays.stream(classPath.split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .map(Path::of)
        .forEach(open::add);
    kafkaJar().ifPresent(open::add);
    Set<Path> jars = new LinkedHashSet<>();
    while (!open.isEmpty()) {
      Path entry = open.removeFirst().toAbsolutePath().normalize();
      if (Files.isRegularFile(entry) && jars.add(entry)) {
        named(entry).forEach(open::add);
      }
    }
    return jars;
  }

  /** Where the broker's main class comes from, in case the class path does not tell. */
  private static Optional<Path> kafkaJar() {
    try {
      Class<?> main =
          Class.forName("kafka.Kafka", false, Thread.currentThread().getContextClassLoader());
      return Optional.ofNullable(main.getProtectionDomain().getCodeSource())
          .map(source -> source.getLocation())
          .map(url -> Path.of(URI.create(url.toString())));
    } catch (ClassNotFoundException | IllegalArgumentException _) {
      return Optional.empty(); // the child will say what it misses
    }
  }

  private static Stream<Path> named(Path jar) {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      Manifest manifest = file.getManifest();
      String list =
          manifest == null
              ? ""
              : Objects.requireNonNullElse(
                  manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH), "");
      return Arrays.stream(list.strip().split("\\s+"))
          .filter(entry -> !entry.isEmpty())
          .flatMap(entry -> resolve(jar, entry).stream());
    } catch (IOException _) {
      return Stream.empty(); // not a jar: harmless on a class path
    }
  }

  private static Optional<Path> resolve(Path jar, String entry) {
    try {
      return Optional.of(Path.of(jar.toUri().resolve(new URI(entry))));
    } catch (URISyntaxException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
