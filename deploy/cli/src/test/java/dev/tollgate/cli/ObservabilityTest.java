package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tollgate.worker.metrics.Catalogue;
import dev.tollgate.worker.metrics.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rules, runbook and dashboard name what there is: metrics with their tags, and commands. */
final class ObservabilityTest {
  private static final Path FOLDER = Path.of("..", "observability");

  /** What Micrometer's own binders and Prometheus itself name, with their labels. */
  private static final Map<String, Set<String>> OTHERS =
      Map.of(
          "jvm_memory_used_bytes", Set.of("area", "id"),
          "process_cpu_usage", Set.of(),
          "hikaricp_connections_pending", Set.of("pool"));

  /** What Prometheus adds to each sample. */
  private static final Set<String> ADDED = Set.of("instance", "job");

  private static final Pattern METRIC =
      Pattern.compile("\\b((?:tollgate|jvm|process|hikaricp|kafka)_\\w+)(?:\\{([^}]*)})?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");
  private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\)");
  private static final Pattern SECTION = Pattern.compile("(?m)^## (\\w+)\n\n```\n([^`]*)```\n");

  private record Rule(String alert, String expr, Map<?, ?> annotations) {}

  /** Each sample's name with its labels, as a registry prints them. */
  private static Map<String, Set<String>> samples() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Catalogue catalogue = new Catalogue(registry);
    for (Meter meter : Meter.values()) {
      String[] tags = meter.tags().stream().flatMap(t -> Stream.of(t, "x")).toArray(String[]::new);
      switch (meter.kind()) {
        case COUNTER -> catalogue.counter(meter, tags);
        case GAUGE -> catalogue.gauge(meter, () -> 1, tags);
        case TIMER -> catalogue.timer(meter, tags);
        case SUMMARY -> catalogue.summary(meter, tags);
      }
    }
    Map<String, Set<String>> samples = new HashMap<>(OTHERS);
    for (String line : registry.scrape().split("\n", -1)) {
      Matcher sample = Pattern.compile("^(\\w+)(?:\\{([^}]*)})? .*").matcher(line);
      if (sample.matches()) {
        samples.put(String.valueOf(sample.group(1)), labels(sample.group(2)));
      }
    }
    registry.close();
    return samples;
  }

  private static Set<String> labels(@Nullable String selector) {
    Set<String> labels = new TreeSet<>();
    Matcher label = LABEL.matcher(selector == null ? "" : selector);
    while (label.find()) {
      labels.add(String.valueOf(label.group(1)));
    }
    return labels;
  }

  private static List<Rule> rules() throws IOException {
    Map<?, ?> file =
        (Map<?, ?>)
            new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(FOLDER.resolve("alerts.yaml")));
    List<Rule> rules = new ArrayList<>();
    for (Object group : (List<?>) given(file, "groups")) {
      for (Object rule : (List<?>) given((Map<?, ?>) group, "rules")) {
        Map<?, ?> fields = (Map<?, ?>) rule;
        rules.add(
            new Rule(
                String.valueOf(fields.get("alert")),
                String.valueOf(fields.get("expr")),
                (Map<?, ?>) given(fields, "annotations")));
      }
    }
    return rules;
  }

  private static Object given(Map<?, ?> fields, String name) {
    return Objects.requireNonNull(fields.get(name), name);
  }

  /** Of rules and dashboard, by what they are called. */
  private static Map<String, String> expressions() throws IOException {
    Map<String, String> expressions = new TreeMap<>();
    rules().forEach(rule -> expressions.put("alert " + rule.alert(), rule.expr()));
    JsonNode dashboard =
        new JsonMapper().readTree(Files.readString(FOLDER.resolve("dashboard.json")));
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        expressions.put(
            "panel " + panel.get("title").asString() + " " + target.get("refId").asString(),
            target.get("expr").asString());
      }
    }
    return expressions;
  }

  private static Map<String, List<String>> runbook() throws IOException {
    Map<String, List<String>> sections = new TreeMap<>();
    Matcher section = SECTION.matcher(Files.readString(FOLDER.resolve("runbook.md")));
    while (section.find()) {
      sections.put(
          String.valueOf(section.group(1)), String.valueOf(section.group(2)).lines().toList());
    }
    return sections;
  }

  @Test
  void everyMeter_isNamedInPrometheusAsTheCatalogueSays() {
    Map<String, Set<String>> samples = samples();
    for (Meter meter : Meter.values()) {
      String name = meter.prometheusName();
      String sample =
          switch (meter.kind()) {
            case COUNTER, GAUGE -> name;
            case TIMER -> name + "_bucket";
            case SUMMARY -> name + "_sum";
          };
      assertThat(samples).containsKey(sample);
      assertThat(samples.get(sample)).as(sample).containsAll(meter.tags());
    }
  }

  @Test
  void everyMetric_ofRulesAndDashboard_isThere_withItsTags() throws IOException {
    Map<String, Set<String>> samples = samples();
    Map<String, String> expressions = expressions();
    assertThat(expressions.size()).isGreaterThan(45);
    expressions.forEach((name, expression) -> check(name, expression, samples));
  }

  private static void check(String of, String expression, Map<String, Set<String>> samples) {
    Set<String> known = new HashSet<>(ADDED);
    Matcher metric = METRIC.matcher(expression);
    int found = 0;
    while (metric.find()) {
      found++;
      assertThat(samples).as(of).containsKey(metric.group(1));
      Set<String> labels = samples.getOrDefault(String.valueOf(metric.group(1)), Set.of());
      known.addAll(labels);
      assertThat(labels).as("%s: %s", of, metric.group()).containsAll(labels(metric.group(2)));
    }
    assertThat(found).as(of).isPositive();
    Matcher by = BY.matcher(expression);
    while (by.find()) {
      assertThat(known)
          .as("%s: %s", of, by.group())
          .containsAll(List.of(String.valueOf(by.group(1)).split(", ?", -1)));
    }
  }

  @Test
  void aMetricOrLabelThatIsNot_isNoticed() {
    Map<String, Set<String>> samples = samples();
    for (String wrong :
        List.of(
            "tollgate_unknown > 0",
            "tollgate_unknowns{state=\"x\"} > 0",
            "sum by (state) (tollgate_unknowns)")) {
      assertThatCode(() -> check("wrong", wrong, samples)).isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void everyAlert_hasItsSection_andEverySectionItsAlert() throws IOException {
    List<Rule> rules = rules();
    assertThat(runbook().keySet())
        .containsExactlyInAnyOrderElementsOf(rules.stream().map(Rule::alert).toList());
    for (Rule rule : rules) {
      assertThat(String.valueOf(rule.annotations().get("runbook")))
          .isEqualTo("deploy/observability/runbook.md#" + rule.alert().toLowerCase(Locale.ROOT));
      assertThat(String.valueOf(rule.annotations().get("summary"))).isNotBlank();
    }
  }

  static Stream<String> commands() throws IOException {
    return runbook().values().stream().flatMap(List::stream).distinct();
  }

  /** Options included; a name that the reader fills in stands for itself. */
  @ParameterizedTest
  @MethodSource("commands")
  void everyCommand_isOneOfTheProgram(String command) {
    assertThat(command).startsWith("deploy/tollgate ");
    String[] words = command.substring("deploy/tollgate ".length()).split(" ", -1);
    assertThatCode(() -> Main.commandLine().parseArgs(words)).doesNotThrowAnyException();
  }

  /** Of whole rules: each fires when it should, and is silent when it should be. */
  @Test
  void everyAlert_isTriedByATest() throws IOException {
    String tests = Files.readString(FOLDER.resolve("alerts.test.yaml"));
    for (Rule rule : rules()) {
      assertThat(tests).contains("alertname: " + rule.alert() + "\n");
      assertThat(tests)
          .as("it fires")
          .contains("runbook.md#" + rule.alert().toLowerCase(Locale.ROOT));
    }
  }

  @Test
  void promtool_findsTheRulesRight_andTheirTestsPass() throws Exception {
    assumeTrue(
        onThePath("promtool"),
        "no promtool on the PATH (Debian: prometheus): the alert rules are not tried");
    promtool("check", "rules", "alerts.yaml");
    promtool("test", "rules", "alerts.test.yaml");
  }

  private static boolean onThePath(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static void promtool(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(words));
    Path said = Files.createTempFile("promtool", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(FOLDER.toFile())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      boolean ended = process.waitFor(60, TimeUnit.SECONDS);
      process.destroyForcibly();
      assertThat(ended).as("%s ends", command).isTrue();
      assertThat(process.exitValue())
          .as("%s: %s", command, Files.readString(said, StandardCharsets.UTF_8))
          .isZero();
    } finally {
      Files.delete(said);
    }
  }
}
