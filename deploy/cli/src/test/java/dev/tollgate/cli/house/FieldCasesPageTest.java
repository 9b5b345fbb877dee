package dev.tollgate.cli.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of field cases names tests that exist, and each carries its case's number. */
final class FieldCasesPageTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| FC-([0-9]+) \\|[^|]*\\|(.*)\\|$");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");

  private static boolean exists(String type, String method) throws IOException {
    for (Path file : RepositoryTest.files(type + ".java", "test")) {
      if (file.getFileName().toString().equals(type + ".java")
          && Files.readString(file).contains(" " + method + "(")) {
        return true;
      }
    }
    return false;
  }

  @Test
  void everyTestThatItNames_exists_andOneOfEachCaseCarriesItsNumber() throws IOException {
    String page = Files.readString(RepositoryTest.root().resolve("schema/docs/field-cases.md"));
    Matcher row = ROW.matcher(page);
    Set<String> cases = new HashSet<>();
    List<String> missing = new ArrayList<>();
    while (row.find()) {
      String number = "fc%02d".formatted(Integer.parseInt(row.group(1)));
      assertThat(cases.add(number)).as("%s stands there once", number).isTrue();
      boolean carried = false;
      Matcher named = NAMED.matcher(row.group(2));
      while (named.find()) {
        carried |= ("_" + named.group(2)).contains("_" + number + "_");
        if (!exists(named.group(1), named.group(2))) {
          missing.add(named.group());
        }
      }
      assertThat(carried).as("a test with %s in its name", number).isTrue();
    }
    assertThat(cases).hasSizeGreaterThan(12);
    assertThat(missing).isEmpty();
  }
}
