package dev.tollgate.cli.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What no file of the repository may hold, and how long one may be. */
final class RepositoryTest {
  private static final int LINES_MAX = 500;

  /** A ban and what to use instead. */
  private static final Map<Pattern, String> BANNED_IN_TESTS =
      Map.of(
          Pattern.compile("Thread\\.sleep\\(|TimeUnit\\.\\w+\\.sleep\\("),
              "wait for what should happen with Awaitility or a latch",
          Pattern.compile("@Disabled\\b"), "mend the test or remove it",
          Pattern.compile("org\\.mockito|org\\.easymock"),
              "write a fake that passes the contract of the real thing");

  private static final Map<Pattern, String> BANNED_IN_MAIN =
      Map.of(
          Pattern.compile("import org\\.springframework|import lombok"), "plain Java",
          Pattern.compile("printStackTrace\\("), "log it, or throw a coded exception",
          Pattern.compile("\\bTODO\\b|\\bFIXME\\b"),
              "do it, or write down in the docs that it is not done");

  private static final Set<String> TOP_LEVEL =
      Set.of(
          "pom.xml",
          "worker",
          "reconciler",
          "schema",
          "deploy",
          "loadtest",
          "README.md",
          "LICENSE");

  private final Path root = root();

  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("LICENSE"))) {
      folder = Objects.requireNonNull(folder.getParent(), "no LICENSE above the working directory");
    }
    return folder;
  }

  @Test
  void javaFiles_areShortEnoughToReadInOneSitting() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : sources("src/main", "src/test")) {
      int lines = Files.readAllLines(file).size();
      if (lines > LINES_MAX) {
        tooLong.add(root.relativize(file) + ": " + lines);
      }
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void tests_holdNothingBanned() throws IOException {
    assertThat(hits(sources("src/test"), BANNED_IN_TESTS)).isEmpty();
  }

  @Test
  void mainSources_holdNothingBanned() throws IOException {
    assertThat(hits(sources("src/main"), BANNED_IN_MAIN)).isEmpty();
  }

  @Test
  void topLevel_isAsAgreed() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> entries = Files.list(root)) {
      entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> !name.startsWith(".") && !name.equals("target"))
          .forEach(names::add);
    }
    assertThat(names).containsExactlyInAnyOrderElementsOf(TOP_LEVEL);
  }

  @Test
  void everyPackage_saysWhatItOwns() throws IOException {
    Set<Path> without = new TreeSet<>();
    for (Path file : sources("src/main")) {
      Path folder = Objects.requireNonNull(file.getParent());
      if (!Files.exists(folder.resolve("package-info.java"))) {
        without.add(root.relativize(folder));
      }
    }
    assertThat(without).isEmpty();
  }

  @Test
  void bans_findWhatTheyBan() {
    assertThat(BANNED_IN_TESTS.keySet())
        .anyMatch(ban -> ban.matcher("    Thread.sle" + "ep(10);").find());
    assertThat(BANNED_IN_MAIN.keySet()).anyMatch(ban -> ban.matcher("// TO" + "DO later").find());
  }

  private List<String> hits(List<Path> files, Map<Pattern, String> bans) throws IOException {
    List<String> hits = new ArrayList<>();
    for (Path file : files) {
      if (file.endsWith("RepositoryTest.java")) {
        continue; // it has to name what it bans
      }
      String text = Files.readString(file);
      bans.forEach(
          (ban, instead) -> {
            if (ban.matcher(text).find()) {
              hits.add(root.relativize(file) + ": " + ban + " -> " + instead);
            }
          });
    }
    return hits;
  }

  private static List<Path> sources(String... parts) throws IOException {
    return files(".java", parts);
  }

  /** Files of the repository with this ending, below one of these folders. */
  static List<Path> files(String ending, String... parts) throws IOException {
    try (Stream<Path> files = Files.walk(root())) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .filter(
              file -> Stream.of(parts).anyMatch(part -> file.toString().contains("/" + part + "/")))
          .filter(file -> !file.toString().contains("/target/"))
          .toList();
    }
  }
}
