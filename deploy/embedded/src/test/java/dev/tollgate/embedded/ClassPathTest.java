package dev.tollgate.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassPathTest {
  @Test
  void manifestsAreFollowed_foldersAndMissingJarsAreLeftOut(@TempDir Path folder)
      throws IOException {
    Path program = jar(folder.resolve("program.jar"), "lib/one%20two.jar missing.jar program.jar");
    Path library = jar(folder.resolve("lib/one two.jar"), "");
    String classPath = String.join(File.pathSeparator, folder.toString(), program.toString());
    assertThat(ClassPath.jars(classPath)).contains(program, library).hasSize(3);
  }

  @Test
  void thisTestsClassPath_holdsTheBroker() {
    assertThat(List.of(ClassPath.jars().split(File.pathSeparator, -1)))
        .anyMatch(jar -> jar.contains("kafka_2.13"))
        .anyMatch(jar -> jar.contains("scala-library"))
        .allMatch(jar -> Files.isRegularFile(Path.of(jar)));
  }

  private static Path jar(Path file, String classPath) throws IOException {
    Files.createDirectories(file.getParent());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      jar.finish();
    }
    return file;
  }
}
