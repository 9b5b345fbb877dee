package dev.tollgate.worker.provider.descriptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.described.Examples;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a descriptor is said at its line, all at once. */
class DescriptorReaderTest {
  private static final String GOOD =
      new Catalogue(Optional.empty()).find("http-json").orElseThrow().text();

  private static final int AUTH_LINE = GOOD.lines().toList().indexOf("  bearer: api-key") + 1;

  @Test
  void good_isRead() {
    assertThat(problems(GOOD)).isEmpty();
  }

  /**
   * One fault.
   *
   * @param was a part of the good one, which stands there once
   * @param is what stands in its place
   * @param path where the fault is reported
   * @param words what is said about it
   */
  record Fault(String was, String is, String path, String words) {
    @Override
    public String toString() {
      return path + ": " + words;
    }
  }

  static Stream<Fault> faults() {
    String end = "endpoint: {}";
    return Stream.of(
        new Fault("bearer: api-key", "bearer: other-key", "auth", "no secret 'other-key'"),
        new Fault("bearer: api-key", "none: true", "secrets", "'api-key' is not used"),
        new Fault(end, "endpoint: {base: http://a.example.com}", "endpoint.base", "https://"),
        new Fault(end, "endpoint: {bas: x}", "endpoint", "bas"),
        new Fault(
            "  verify:\n    scheme: standard-webhooks",
            "  reference: .id | strings\n  verify:\n    scheme: none",
            "webhook.reference",
            "has to be signed"),
        new Fault(
            "  event-id: $headers",
            "  reference: .id | strings\n  event-id: $headers",
            "examples.webhook[0]",
            "the reference is t-1"),
        new Fault(
            end, "endpoint: {headers: {X-Api-Key: abc}}", "endpoint.headers.X-Api-Key", "auth"),
        new Fault(
            end,
            "endpoint: {headers: {X-A: Bearer abcdefghijklmnop1234}}",
            "endpoint.headers.X-A",
            "looks like a credential"),
        new Fault(
            end, "endpoint: {base: \"https://u:p@a.example.com\"}", "endpoint.base", "no user"),
        new Fault(
            "    Idempotency-Key: if", "    Host: if", "create.headers.Host", "not a request's"),
        new Fault(
            "status: 404\n    codes: [task_not_found]",
            "status: 503\n    codes: [task_not_found]",
            "status.missing",
            "says nothing of a task"),
        new Fault("done: [200, 202, 204]", "done: [404]", "cancel.done", "no success"),
        new Fault(
            "error-code: .error.code | strings",
            "error-code: if .error then \"rate_limited\" else empty end",
            "create.answers[2]",
            "made up by error-code"),
        new Fault("  paging: cursor\n", "", "list", "needs its paging"),
        new Fault("means: throttled", "means: slow", "create.answers[2].means", "enumeration"),
        new Fault(
            "status: 402\n      means: quota",
            "status: 500\n      means: quota",
            "create.answers[3]",
            "status 500 alone cannot mean 'quota'"),
        new Fault(
            "status: 402\n      means: quota",
            "status: 429\n      codes: [rate_limited]\n      means: quota",
            "create.answers[3]",
            "answers[2] says it already"),
        new Fault(
            "means: auth\n      source: https://www.rfc-editor.org/rfc/rfc9110",
            "means: auth",
            "create.answers[4]",
            "source"),
        new Fault("  id: .id | strings\n  acc", "  id: now\n  acc", "create.id", "'now'"),
        new Fault("  id: .id | strings\n  acc", "  id: $kee\n  acc", "create.id", "no $kee"),
        new Fault("  id: .id | strings\n  acc", "  id: .id |\n  acc", "create.id", "no jq"),
        new Fault("{+$settings.tasks}\n  headers", "{$id\n  headers", "create.path", "without its"),
        new Fault("kind: list-by-time", "kind: by-time", "capabilities[2].kind", "enumeration"),
        new Fault(
            "kind: lookup-by-reference\n    source: operator",
            "kind: lookup-by-reference",
            "capabilities[1]",
            "needs the source"),
        new Fault(
            "kind: list-by-time\n    source: operator",
            "kind: list-by-time\n    source: http://a.example.com",
            "capabilities[2].source",
            "https"),
        new Fault(
            "kind: list-by-time\n    source: operator",
            "kind: list-by-time\n    source: https://a.example.com",
            "capabilities[2]",
            "the day on which its source was read"),
        new Fault("    retention: unpublished\n", "", "capabilities[0]", "retention"),
        new Fault("compare: .\n", "", "capabilities[2]", "compare"),
        new Fault(
            "succeeded: [succeeded]",
            "succeeded: [queued]",
            "status.states.succeeded",
            "two states"),
        new Fault("read: 2026-11-30", "read: 2026-13-40", "read", "no date"),
        new Fault(
            "accepted t-1", "accepted t-2", "examples.create[0]", "the verdict is accepted t-1"),
        new Fault("  path: /tasks\n", "  path: /task\n", "examples.create[0].request", "path"),
        new Fault(
            "status: processing}}\n      state: processing",
            "status: processing}}\n      state: queued",
            "examples.status[0]",
            "the state is"),
        new Fault("codes: [rate_limited]", "codes: [slow]", "create.answers[2]", "no example"));
  }

  @ParameterizedTest
  @MethodSource
  void faults(Fault fault) {
    assertThat(GOOD.split(Pattern.quote(fault.was()), -1)).as("once in the good one").hasSize(2);
    String text = GOOD.replace(fault.was(), fault.is());
    assertThat(problems(text))
        .anySatisfy(
            problem -> {
              assertThat(problem.path()).isEqualTo(fault.path());
              assertThat(problem.text()).contains(fault.words());
              assertThat(problem.line()).isBetween(1, text.split("\n", -1).length);
            });
  }

  /** The fault that is made most often: one problem, in words, at its line, without the value. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "bearer: sk-live-0123456789abcdef           | auth.bearer          | looks like a credential",
        "bearer: QUJDREVGR0hJSktMTU5PUA             | auth.bearer          | the name of a secret",
        "bearer: 0123456789abcdef01234567           | auth.bearer          | the name of a secret",
        "bearer: f0123456789abcdef012345            | auth.bearer          | the name of a secret",
        "headers: {X-Key: 0123456789abcdef}         | auth.headers.X-Key   | in braces",
        "headers: {X-Key: Bearer 0123456789abcdef}  | auth.headers.X-Key   | looks like a credential",
        "headers: {}                                | auth.headers         | headers by name",
        "signer: aws-sigv4                          | auth.secrets         | which secret each",
        "token: 0123456789abcdef                    | auth                 | must have one of",
        "none: false                                | auth.none            | must be true"
      })
  void credentialInAuth_isOneProblemInWords(String auth, String path, String words) {
    String text = GOOD.replace("bearer: api-key", auth);
    assertThat(text.lines().toList().get(AUTH_LINE - 1)).contains(auth);
    assertThat(problems(text))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.path()).isEqualTo(path);
              assertThat(problem.text()).contains(words).doesNotContain("456789");
              assertThat(problem.line()).isBetween(AUTH_LINE - 1, AUTH_LINE);
            });
  }

  @Test
  void authThatIsNothing_isOneProblem() {
    assertThat(problems(GOOD.replace("auth:\n  bearer: api-key\n", "auth:\n")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).startsWith("must have one of"));
    assertThat(problems(GOOD.replace("auth:\n  bearer: api-key\n", "")))
        .anyMatch(problem -> problem.text().contains("'auth'"));
  }

  @ParameterizedTest
  @CsvSource({"'id: \"\"', must not be empty", "'id: \"  \"', is empty"})
  void emptyExpression_isOneProblem(String id, String words) {
    assertThat(problems(GOOD.replace("  id: .id | strings\n  acc", "  " + id + "\n  acc")))
        .filteredOn(problem -> problem.path().equals("create.id"))
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).contains(words));
    assertThat(problems(GOOD.replace("{+$settings.tasks}\n  headers", "{}\n  headers")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).contains("is empty"));
    assertThat(problems(GOOD.replace("  id: .id | strings\n  acc", "  acc")))
        .filteredOn(problem -> problem.path().startsWith("create"))
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).contains("'id'"));
  }

  @Test
  void severalFaults_areReportedAtOnce_atTheirLines() {
    String text =
        "format: tollgate-provider/1\nname: x\ntitle: X\nread: tomorrow\ndocuments: [http://a]\n";
    assertThat(problems(text)).extracting(Problem::line).contains(1, 4, 5).isSorted();
    assertThat(problems(text).size()).isGreaterThan(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "format: tollgate-provider/2",
        "a: &anchor 1\nb: *anchor",
        "a: 1\na: 2",
        "? [complex]\n: 1",
        "a: !!java.net.URL x",
        "a: [1,",
        "",
        "just text",
        "a: .inf"
      })
  void whatIsNoDescriptor_isRefused(String text) {
    DescriptorReader.Result result = DescriptorReader.read(text);
    assertThat(result.descriptor()).isEmpty();
    assertThat(result.problems()).isNotEmpty().allMatch(problem -> problem.line() >= 1);
  }

  @Test
  void whatIsNoYaml_isSaidAlone_atItsLine() {
    assertThat(problems(GOOD.replace("secrets: [api-key]", "secrets: [api-key")))
        .hasSize(1)
        .allMatch(problem -> problem.text().startsWith("no YAML") && problem.line() > 1);
  }

  @Test
  void longText_isRefusedUnread() {
    assertThat(DescriptorReader.read("a".repeat(300_000)).problems())
        .anyMatch(problem -> problem.text().contains("longer than"));
  }

  private static List<Problem> problems(String text) {
    return Examples.checkAll(text);
  }
}
