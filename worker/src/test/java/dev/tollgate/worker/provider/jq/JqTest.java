package dev.tollgate.worker.provider.jq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JqTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          .data.id ~ {"data":{"id":"a"}} ~ "a"
          {input: ., ref: $key} ~ {"p":1} ~ {"input":{"p":1},"ref":"k"}
          {($key): 1} ~ {} ~ {"k":1}
          if .code == 0 then .id else empty end ~ {"code":0,"id":"x"} ~ "x"
          .a // .b ~ {"b":2} ~ 2
          "\\(.a)/\\(.b | tostring)" ~ {"a":"x","b":1} ~ "x/1"
          [.l[] | select(.k == "v") | .n] ~ {"l":[{"k":"v","n":1},{"k":"w","n":2}]} ~ [1]
          .m | split("(")[-1] | rtrimstr(")") ~ {"m":"bad (1026)"} ~ "1026"
          .a as $x | {y: $x} ~ {"a":1} ~ {"y":1}
          .x[0:2] ~ {"x":"abc"} ~ "ab"
          .label.def.range ~ {"label":{"def":{"range":1}}} ~ 1
          with_entries(select(.value != null)) ~ {"a":null,"b":1} ~ {"b":1}
          .big ~ {"big":12345678901234567890} ~ 12345678901234567890
          (.a? // "none") # what is not there ~ {} ~ "none"
          .p | @uri ~ {"p":"a b"} ~ "a%20b"
          .a==1 and .a!=2 and .a<=1 and .a>=1 ~ {"a":1} ~ true
          "\\(.a==1)= .b = 1" # .b |= 1 ~ {"a":1} ~ "true= .b = 1"
          """)
  void oneValue(String expression, String input, String value) throws Exception {
    Jq jq = Jq.compile(expression, Set.of("key"));
    Map<String, JsonNode> variables = Map.of("key", TextNode.valueOf("k"));
    assertThat(jq.one(JSON.readTree(input), variables)).contains(JSON.readTree(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "def f: f; f",
        "reduce .[] as $x (0; . + $x)",
        "foreach .[] as $x (0; .)",
        "[range(1e9)]",
        "repeat(.)",
        "..",
        ".a | recurse",
        "[limit(3; .[])]",
        "env",
        "$ENV.HOME",
        "$__loc__",
        "input",
        "now",
        "\"a\" * 1000000000",
        "\"x\\(now)\"",
        "test(\"(a+)+$\")",
        "import \"a\" as a; .",
        "include \"a\"; .",
        "a::b",
        "label $out | break $out",
        "getpath([\"a\"])",
        "debug",
        "#\rdef f: f; f",
        "# comment\rnow",
        "@sh",
        ". as [$a] | $a",
        "until(. > 1; .)",
        ".a |",
        ".a *= 2",
        ".a |== 1"
      })
  void refused_atOnce(String expression) {
    assertThatThrownBy(() -> Jq.compile(expression, Set.of("key"))).isInstanceOf(Jq.Refused.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".a = 1",
        ".a=1",
        ".x[1000000000] = 1",
        ".[] |= 1",
        ".a += 1",
        ".a -= 1",
        ".a /= 2",
        ".a %= 2",
        ".a //= 1",
        ".a != =1",
        ".a === 1",
        "\"\\(.a = 1)\""
      })
  void refused_assignment(String expression) {
    assertThatThrownBy(() -> Jq.compile(expression, Set.of()))
        .isInstanceOf(Jq.Refused.class)
        .hasMessageStartingWith("an assignment ");
  }

  @Test
  void refused_namesTheVariablesThatThereAre() {
    assertThatThrownBy(() -> Jq.compile("$kee", Set.of("key", "id")))
        .hasMessage("there is no $kee here; there are [id, key]");
  }

  @Test
  void refused_tooLong() {
    assertThatThrownBy(() -> Jq.compile(".".repeat(1) + " ".repeat(4_000), Set.of()))
        .hasMessageContaining("4000");
  }

  @Test
  void failureOnAnInput_isNoValue() throws Exception {
    assertThat(Jq.compile(".a.b", Set.of()).one(JSON.readTree("{\"a\":1}"), Map.of())).isEmpty();
    assertThat(Jq.compile(".[]", Set.of()).one(JSON.readTree("[1,2]"), Map.of())).isEmpty();
    assertThat(Jq.compile(".a", Set.of()).one(JSON.readTree("{\"a\":null}"), Map.of())).isEmpty();
    assertThat(Jq.compile(".a", Set.of()).isTrue(JSON.readTree("{\"a\":\"true\"}"), Map.of()))
        .isFalse();
  }

  @Test
  void noMemoryForAnExpression_isNoValue() throws Exception {
    TextNode input =
        new TextNode("a") {
          private static final long serialVersionUID = 1L;

          @Override
          public String asText() {
            throw new OutOfMemoryError("of the test's own");
          }
        };
    assertThat(Jq.compile(". + \"b\"", Set.of()).tried(input, Map.of())).isEmpty();
  }

  /** Each would take hours, or all memory, if nothing stopped it: then it has no value. */
  @ParameterizedTest
  @Timeout(20)
  @ValueSource(
      strings = {
        "FAN|length",
        "[FAN|empty]|length",
        "[(FAN)?]|length",
        "try (FAN) catch 1",
        "[empty SUM]|length",
        ".a|DOUBLE|length",
        "[1]|DOUBLE|length",
        "{}|PAIRS",
        "{}|PAIRS|tojson|length",
        "1|NESTS|tostring|length",
        ".a|TWICE|length",
        "[.n[]|$long]|length",
        "[MANY]|length",
        ".n|map(\"a\")|join($long)|length",
        "$long|split(\"\")|length",
        "$long|ascii_downcase|length",
        "[$long]|contains([$long[1:]])",
        "$long / \"\" | length",
        "\"[\" + ($long|ascii_downcase) + \"]\"|length",
        ".n - .n|length",
        ".n as $x|[.n[]|select($x == $x)]|length",
        "[.n[]|$long|length]|length",
        "[.n[]|$long|split(\",\")]|length",
        ".n|map(\"1\")|join(\"\")|tonumber",
        ".n|del(.[])|length",
        ".n|map([.])|add|length"
      })
  void whatFansOutOrDoubles_isStopped(String pattern) throws Exception {
    assertThat(applied(pattern, 3, "ab", 5)).as("a little of it is fine").isPresent();
    assertThat(applied(pattern, 40, "ab".repeat(8_000_000), 100_000)).isEmpty();
  }

  private static Optional<List<JsonNode>> applied(String pattern, int times, String text, int n)
      throws Jq.Refused {
    String expression =
        pattern
            .replace("FAN", "(.,.)" + "|(.,.)".repeat(times))
            .replace("SUM", " + .n[]".repeat(times))
            .replace("DOUBLE", ".+." + "|.+.".repeat(times))
            .replace("PAIRS", "[.,.]" + "|[.,.]".repeat(times))
            .replace("NESTS", "{a:.,b:.}" + "|{a:.,b:.}".repeat(times))
            .replace("TWICE", "." + "|\"\\(.)\\(.)\"".repeat(times))
            .replace("MANY", "$long" + ",$long".repeat(15 * times));
    ObjectNode input = JSON.createObjectNode().put("a", "some text");
    ArrayNode numbers = input.putArray("n");
    for (int i = 0; i < n; i++) {
      numbers.add(i);
    }
    return Jq.compile(expression, Set.of("long"))
        .tried(input, Map.of("long", TextNode.valueOf(text)));
  }

  /** The library looks for it at each place; jq has words for that which are not available here. */
  @Test
  void arrayAsIndex_isNoValue() throws Exception {
    Jq jq = Jq.compile(".[[2]]", Set.of());
    assertThat(jq.tried(JSON.readTree("[1,2]"), Map.of())).isEmpty();
  }

  /** What an answer of the greatest length needs is far below the bounds. */
  @Test
  void longAnswers_areRead() throws Exception {
    ObjectNode input = JSON.createObjectNode();
    ArrayNode images = input.putArray("data");
    images.addObject().put("b64_json", "iVBORw0K".repeat(4_000_000));
    ArrayNode tasks = input.putArray("tasks");
    for (int i = 0; i < 5_000; i++) {
      tasks
          .addObject()
          .put("id", "t-" + i)
          .putObject("input")
          .put("prompt", "a red kite ".repeat(90));
    }
    Jq image =
        Jq.compile(
            ".data[] | {base64: .b64_json | strings, content_type: \"image/png\"}", Set.of());
    assertThat(image.one(input, Map.of())).isPresent();
    Jq listed =
        Jq.compile(
            "[.tasks[] | select(.input.prompt != null) | {id: .id, input: .input}] | map(.id)",
            Set.of());
    assertThat(listed.one(input, Map.of()).orElseThrow()).hasSize(5_000);
  }

  @Test
  void everyWordThatMayBeCalled_isThere() throws Exception {
    for (String call :
        new String[] {
          "[1]|add",
          "[1]|all",
          "[1]|any",
          "[1]|max",
          "[1]|min",
          "[1]|sort",
          "[1]|unique",
          "[1]|reverse",
          "[1]|first",
          "[1]|last",
          "[[1]]|flatten",
          "\"A\"|ascii_downcase",
          "\"a\"|ascii_upcase",
          "1.5|floor",
          "1.5|ceil",
          "1.5|round",
          "{}|keys|length",
          "{\"a\":1}|to_entries|from_entries",
          "{\"a\":1}|del(.a)",
          "\"1\"|tonumber",
          "1|tojson",
          "\"1\"|fromjson",
          "[1]|contains([1])",
          "[{\"a\":1}]|group_by(.a)|length",
          "[1]|has(0)",
          "[{\"a\":1}]|max_by(.a)|.a",
          "[{\"a\":1}]|min_by(.a)|.a",
          "[{\"a\":1}]|sort_by(.a)|length",
          "\"a,b\"|split(\",\")|join(\";\")",
          "\"ab\"|startswith(\"a\")",
          "\"ab\"|endswith(\"b\")",
          "\"ab\"|index(\"b\")",
          "1|numbers",
          "\"a\"|strings",
          "true|booleans",
          "[]|arrays",
          "{}|objects",
          "1|values",
          "1|type",
          "\"ab\"|ltrimstr(\"a\")",
          "true|not",
          "[1]|map(.)",
          "[null]|map(nulls)|length",
          "\"a\"|@base64|@base64d",
          "1|@json",
          "1|@text",
          "try 1 catch 2"
        }) {
      assertThat(Jq.compile(call, Set.of()).one(JSON.nullNode(), Map.of())).as(call).isPresent();
    }
  }
}
