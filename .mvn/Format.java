import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks (or, with {@code fix}, rewrites) every Java source below a folder with google-java-format. It runs on the
 * build's own JDK, since the formatter reads sources with the parser of the Java it runs on.
 */
final class Format {
  private static final Set<String> SKIPPED = Set.of("target", "generated", ".git");

  public static void main(String[] args) throws Exception {
    boolean fix = args[0].equals("fix");
    List<Path> unformatted = new ArrayList<>();
    for (Path file : sources(Path.of(args[1]))) {
      String before = Files.readString(file);
      String after = format(file, before);
      if (after.equals(before)) {
        continue;
      }
      unformatted.add(file);
      if (fix) {
        Files.writeString(file, after);
      }
    }
    if (!unformatted.isEmpty() && !fix) {
      unformatted.forEach(file -> System.err.println("not formatted: " + file));
      System.err.println("run: mvn -N process-sources -Dformat=fix");
      System.exit(1);
    }
  }

  private static String format(Path file, String text) throws Exception {
    try {
      String imports = ImportOrderer.reorderImports(RemoveUnusedImports.removeUnusedImports(text), JavaFormatterOptions.Style.GOOGLE);
      return new Formatter().formatSource(imports);
    } catch (Exception e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static List<Path> sources(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(root, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        return SKIPPED.contains(folder.getFileName().toString()) || folder.getFileName().toString().equals(".mvn")
            ? FileVisitResult.SKIP_SUBTREE
            : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (file.toString().endsWith(".java")) {
          files.add(file);
        }
        return FileVisitResult.CONTINUE;
      }
    });
    return files;
  }
}
