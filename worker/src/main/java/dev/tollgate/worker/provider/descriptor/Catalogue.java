package dev.tollgate.worker.provider.descriptor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where descriptors are: files, a folder of the operator's, and those that are shipped. */
public final class Catalogue {
  private static final String SHIPPED = "/dev/tollgate/providers/";

  private final Optional<Path> folder;

  /**
   * @param folder the operator's own, before the shipped ones
   */
  public Catalogue(Optional<Path> folder) {
    this.folder = folder;
  }

  /**
   * A descriptor as it stands.
   *
   * @param place where it is, for people
   */
  public record Text(String place, String text) {}

  /**
   * Finds a descriptor.
   *
   * @param name its name, or the path of a {@code .yaml} file
   * @throws UncheckedIOException if a file cannot be read
   */
  public Optional<Text> find(String name) {
    if (name.endsWith(".yaml") || name.contains("/")) {
      return file(Path.of(name));
    }
    return folder
        .flatMap(at -> file(at.resolve(name + ".yaml")))
        .or(() -> shipped(name).map(text -> new Text("shipped", text)));
  }

  /** The names of all there are, sorted. */
  public List<String> names() {
    List<String> names = new ArrayList<>(shippedNames());
    folder.ifPresent(
        at -> {
          try (Stream<Path> files = Files.list(at)) {
            files
                .map(file -> file.getFileName().toString())
                .filter(file -> file.endsWith(".yaml"))
                .map(file -> file.substring(0, file.length() - ".yaml".length()))
                .forEach(names::add);
          } catch (IOException e) {
            throw new UncheckedIOException("the providers folder " + at + " cannot be read", e);
          }
        });
    return names.stream().distinct().sorted().toList();
  }

  /** The names of those that are shipped. */
  public static List<String> shippedNames() {
    return resource("index").orElse("").lines().filter(line -> !line.isBlank()).toList();
  }

  /** The JSON Schema of descriptors. */
  public static String schema() {
    return resource("provider.schema.json").orElseThrow();
  }

  private static Optional<Text> file(Path file) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Text(file.toString(), Files.readString(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read as UTF-8", e);
    }
  }

  private static Optional<String> shipped(String name) {
    return shippedNames().contains(name) ? resource(name + ".yaml") : Optional.empty();
  }

  private static Optional<String> resource(String name) {
    try (InputStream in = Catalogue.class.getResourceAsStream(SHIPPED + name)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
