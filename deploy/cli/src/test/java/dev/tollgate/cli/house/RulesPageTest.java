package dev.tollgate.cli.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of rules names nothing that is not there, and nobody cites a rule that it lacks. */
final class RulesPageTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([0-9]+) \\|(.*)$");
  private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]\\w*)`");
  private static final Pattern CITED = Pattern.compile("\\b[Rr]ules? ([0-9]+)(?: and ([0-9]+))?");

  private final Path root = RepositoryTest.root();

  private String page() throws IOException {
    return Files.readString(root.resolve("schema/docs/rules.md"));
  }

  /** Java and SQL, tests included. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>(RepositoryTest.files(".java", "src"));
    sources.addAll(RepositoryTest.files(".sql", "src"));
    return sources;
  }

  private static Set<Integer> numbers(Pattern pattern, String text) {
    Set<Integer> numbers = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      for (int group = 1; group <= matcher.groupCount(); group++) {
        String number = matcher.group(group);
        if (number != null && number.matches("[0-9]+")) {
          numbers.add(Integer.parseInt(number));
        }
      }
    }
    return numbers;
  }

  @Test
  void everyClassThatItNames_exists() throws IOException {
    Set<String> known =
        sources().stream()
            .map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
            .collect(Collectors.toSet());
    List<String> missing = new ArrayList<>();
    Matcher named = CLASS.matcher(page());
    int count = 0;
    while (named.find()) {
      count++;
      if (!known.contains(named.group(1))) {
        missing.add(named.group(1));
      }
    }
    assertThat(count).isGreaterThan(28);
    assertThat(missing).isEmpty();
  }

  @Test
  void everyConstraintAndTriggerThatItNames_exists() throws IOException {
    StringBuilder sql = new StringBuilder();
    for (Path file : RepositoryTest.files(".sql", "src")) {
      sql.append(Files.readString(file));
    }
    Matcher named = Pattern.compile("(?:constraint|trigger|table|column) `(\\w+)`").matcher(page());
    int count = 0;
    while (named.find()) {
      count++;
      assertThat(sql.toString()).contains(named.group(1));
    }
    assertThat(count).isGreaterThan(5);
  }

  @Test
  void everyRuleThatIsCited_isListed() throws IOException {
    Set<Integer> listed = numbers(ROW, page());
    Set<Integer> cited = new TreeSet<>();
    for (Path file : sources()) {
      cited.addAll(numbers(CITED, Files.readString(file)));
    }
    assertThat(listed).hasSize(14);
    assertThat(cited).isNotEmpty().isSubsetOf(listed);
  }
}
