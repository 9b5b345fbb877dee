package dev.tollgate.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of metrics is made from the catalogue. */
final class MetricsPageTest {
  private static final Path PAGE = Path.of("docs", "metrics.md");
  private static final String COMMAND =
      "mvn -pl worker -am test -Dtest=MetricsPageTest -Dgenerate=write"
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
    page.append("# Metrics\n\nMade from `Meter` by `MetricsPageTest`. To make it again:\n\n    ");
    page.append(COMMAND).append("\n\n");
    page.append(
        """
        Names are those of Prometheus, at `/metrics` of `tollgate.http.port`; in OTLP they have dots instead of underscores,
        and neither unit nor `_total` at their end. A timer has `_count`, `_sum`, `_max` and `_bucket`, a summary the first
        three. Counters begin at zero with their process. What is not of Tollgate alone (`kafka_`, `hikaricp_`, `jvm_`,
        `process_`, `system_`) is named as Micrometer names it.

        | metric | kind | tags | meaning |
        |---|---|---|---|
        """);
    for (Meter meter : Meter.values()) {
      page.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(
                  meter.prometheusName(), meter.kind().word(), tags(meter.tags()), meter.help()));
    }
    return page.toString();
  }

  private static String tags(List<String> tags) {
    return tags.stream().map(tag -> "`" + tag + "`").collect(Collectors.joining(", "));
  }
}
