package dev.tollgate.schema.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of states is made from the table of transitions. */
final class StatesPageTest {
  private static final Path PAGE = Path.of("docs", "states.md");
  private static final String COMMAND =
      "mvn -pl schema -am test -Dtest=StatesPageTest -Dgenerate=write"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  @Test
  void page_isCurrent() throws IOException {
    String page = page();
    if ("write".equals(System.getProperty("generate"))) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page);
    }
    assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
        .as("%s is stale; run: %s", PAGE, COMMAND)
        .isEqualTo(page);
  }

  private static String page() {
    StringBuilder page = new StringBuilder();
    page.append("# States of an operation\n\n");
    page.append("Made from `Transition` by `StatesPageTest`; the database holds the same table.");
    page.append(" To make it again:\n\n    ").append(COMMAND).append("\n\n");
    page.append("```mermaid\nstateDiagram-v2\n  [*] --> prepared\n  [*] --> sending\n");
    for (Transition t : Transition.values()) {
      page.append("  %s --> %s: %s\n".formatted(t.from().word(), t.to().word(), label(t)));
    }
    for (OperationState state : OperationState.values()) {
      if (state.terminal()) {
        page.append("  ").append(state.word()).append(" --> [*]\n");
      }
    }
    page.append("```\n\n| transition | from | to | only because of |\n|---|---|---|---|\n");
    for (Transition t : Transition.values()) {
      page.append(
          "| %s | `%s` | `%s` | %s |\n"
              .formatted(word(t), t.from().word(), t.to().word(), reasons(t)));
    }
    return page.toString();
  }

  private static String word(Transition t) {
    return t.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String label(Transition t) {
    return t.reasons().isEmpty() ? word(t) : word(t) + " (" + names(t, ", ") + ")";
  }

  private static String reasons(Transition t) {
    return t.reasons().isEmpty() ? "" : "`" + names(t, "`, `") + "`";
  }

  private static String names(Transition t, String between) {
    return t.reasons().stream().sorted().map(Code::name).collect(Collectors.joining(between));
  }
}
