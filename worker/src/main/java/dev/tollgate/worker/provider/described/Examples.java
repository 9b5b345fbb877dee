package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Credentials;
import dev.tollgate.worker.provider.DocumentedLimits;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.ProviderTiming;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.SendsTo;
import dev.tollgate.worker.provider.descriptor.Capability;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Auth;
import dev.tollgate.worker.provider.descriptor.DescriptorReader;
import dev.tollgate.worker.provider.descriptor.PathTemplate;
import dev.tollgate.worker.provider.descriptor.Problem;
import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.spi.RequestSigner;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;

/** Runs a descriptor's own examples, without a network. Confined to one check. */
public final class Examples {
  private static final String KEY = "tg-00112233445566778899aabbccddeeff";
  private static final String OPERATION = "video:" + "0".repeat(64);
  private static final String SECRET = "example-credential-0123";
  private static final DescribedConfig.KeptIn NOWHERE =
      new DescribedConfig.KeptIn(Path.of("nowhere"), () -> Instant.EPOCH);
  private static final DescribedConfig.Callbacks CALLBACKS =
      new DescribedConfig.Callbacks(
          URI.create("https://hooks.example.com"), new CallbackAddresses(new byte[32]));

  final Descriptor descriptor;
  final Map<String, JsonNode> base;
  final TaskIds ids;
  final DescribedConfig config;
  final Requests requests;
  private final ToIntFunction<String> lines;
  private final List<Problem> problems = new ArrayList<>();

  private Examples(Descriptor descriptor, ToIntFunction<String> lines) {
    this.descriptor = descriptor;
    this.lines = lines;
    Map<String, String> given = new HashMap<>();
    descriptor
        .settings()
        .forEach((name, rule) -> rule.otherwise().ifPresent(v -> given.put(name, v)));
    descriptor
        .examples()
        .path("settings")
        .properties()
        .forEach(field -> given.put(field.getKey(), field.getValue().asText()));
    ObjectNode settings = DescribedConfig.settings(given);
    this.config =
        new DescribedConfig(
            profile(),
            endpoint(settings),
            settings,
            credentials(),
            Optional.of(CALLBACKS),
            List.of(),
            NOWHERE,
            OptionalInt.empty());
    this.base = config.variables();
    this.ids = new TaskIds(descriptor, base);
    Optional<RequestSigner> unsigned =
        descriptor.auth() instanceof Auth.Signer ? Optional.of(_ -> Map.of()) : Optional.empty();
    this.requests = new Requests(descriptor, config.endpoint(), unsigned, config.credentials());
  }

  /** Everything that is wrong with a descriptor; its examples are run once it can be read. */
  public static List<Problem> checkAll(String text) {
    DescriptorReader.Result result = DescriptorReader.read(text);
    List<Problem> all = new ArrayList<>(result.problems());
    result.descriptor().ifPresent(descriptor -> all.addAll(check(descriptor, result.lines())));
    return all;
  }

  /**
   * Runs all examples.
   *
   * @param lines the line of each value by its JSON pointer
   * @return what does not come out as the examples say, in the order of lines
   */
  public static List<Problem> check(Descriptor descriptor, ToIntFunction<String> lines) {
    Examples examples = new Examples(descriptor, lines);
    new CreateExamples(examples).run();
    new ReadExamples(examples).run();
    return examples.problems.stream().sorted().toList();
  }

  void problem(String pointer, String text) {
    problems.add(Problem.at(lines, pointer, text));
  }

  /** Holds what came out against what an example says. */
  void expect(String pointer, String what, Object said, Object came) {
    if (!said.equals(came)) {
      problem(pointer, "%s is %s, the example says %s".formatted(what, came, said));
    }
  }

  Requests.Built built(JsonNode params) throws Requests.NotBuilt {
    Map<String, JsonNode> variables = new HashMap<>(base);
    variables.put("key", TextNode.valueOf(KEY));
    variables.put("operation", TextNode.valueOf(OPERATION));
    variables.put(
        "callback",
        config.callback(OPERATION).<JsonNode>map(TextNode::valueOf).orElse(NullNode.getInstance()));
    return requests.build(descriptor.create().call(), params, variables);
  }

  /** KEY and CALLBACK where the key and the address stand. */
  String general(String text) {
    String general = text;
    if (config.callback(OPERATION).isPresent()) {
      String callback = config.callback(OPERATION).get();
      general =
          text.replace(callback, "CALLBACK").replace(PathTemplate.encoded(callback), "CALLBACK");
    }
    return general.replace(SECRET, "SECRET").replace(OPERATION, "OPERATION").replace(KEY, "KEY");
  }

  static String key() {
    return KEY;
  }

  /** An example's answer as it would come. */
  static HttpAnswer answer(JsonNode answer) {
    Map<String, String> headers = new HashMap<>();
    answer
        .path("headers")
        .properties()
        .forEach(
            field ->
                headers.put(field.getKey().toLowerCase(Locale.ROOT), field.getValue().asText()));
    JsonNode body = answer.path("body");
    byte[] bytes =
        body.isMissingNode()
            ? new byte[0]
            : body.isTextual()
                ? body.textValue().getBytes(StandardCharsets.UTF_8)
                : new String(Requests.bytes(body), StandardCharsets.UTF_8)
                    .replace("\"KEY\"", "\"" + KEY + "\"")
                    .replace("op=KEY", "op=" + KEY)
                    .getBytes(StandardCharsets.UTF_8);
    return HttpAnswer.of(answer.path("status").asInt(), headers, bytes, BodyEnd.WHOLE, "");
  }

  Optional<Bytes> comparable(JsonNode params) {
    return descriptor
        .compare()
        .flatMap(jq -> Lists.comparable(jq, Bytes.copyOf(Requests.bytes(params)), base));
  }

  private ProviderProfile profile() {
    List<String> given = new ArrayList<>();
    descriptor.examples().path("offers").forEach(word -> given.add(word.asText()));
    List<Recourse> recourses =
        descriptor.capabilities().stream()
            .map(Capability::kind)
            .filter(kind -> given.isEmpty() || given.contains(kind.word()))
            .flatMap(kind -> kind.recourse().stream())
            .toList();
    Duration any = Duration.ofMinutes(1);
    return new ProviderProfile(
        "example",
        recourses,
        1,
        new ProviderTiming(any, any, any, any, Optional.of(any), Optional.empty(), any),
        DocumentedLimits.NONE,
        new SendsTo("example", descriptor.name()));
  }

  private URI endpoint(ObjectNode settings) {
    return descriptor
        .endpoint()
        .base()
        .flatMap(template -> template.fill(NullNode.getInstance(), Map.of("settings", settings)))
        .map(URI::create)
        .orElse(URI.create("https://api.example.com"));
  }

  private Credentials credentials() {
    Map<String, String> references = new HashMap<>();
    descriptor.secrets().forEach(name -> references.put(name, "env:EXAMPLE"));
    return Credentials.open(descriptor.name(), references, _ -> SECRET, System::nanoTime);
  }
}
