package dev.tollgate.worker.provider.descriptor;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.provider.descriptor.Descriptor.Auth;
import dev.tollgate.worker.provider.descriptor.Descriptor.Call;
import dev.tollgate.worker.provider.descriptor.Descriptor.Cancel;
import dev.tollgate.worker.provider.descriptor.Descriptor.Endpoint;
import dev.tollgate.worker.provider.descriptor.Descriptor.Limits;
import dev.tollgate.worker.provider.descriptor.Descriptor.Listed;
import dev.tollgate.worker.provider.descriptor.Descriptor.Listing;
import dev.tollgate.worker.provider.descriptor.Descriptor.Many;
import dev.tollgate.worker.provider.descriptor.Descriptor.Missing;
import dev.tollgate.worker.provider.descriptor.Descriptor.Outputs;
import dev.tollgate.worker.provider.descriptor.Descriptor.Search;
import dev.tollgate.worker.provider.descriptor.Descriptor.Setting;
import dev.tollgate.worker.provider.descriptor.Descriptor.Status;
import dev.tollgate.worker.provider.descriptor.Descriptor.Timing;
import dev.tollgate.worker.provider.descriptor.Descriptor.Webhook;
import dev.tollgate.worker.provider.jq.Jq;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Reads a descriptor's text, and says everything that is wrong with it. Stateless. */
public final class DescriptorReader {
  /** What decides whether a task that a create made is found again. */
  private static final List<String> WIRE = List.of("create", "find", "list", "compare");

  /** What of it says something about answers and documents alone. */
  private static final List<String> ASIDE =
      List.of("answers", "source", "note", "error-code", "accepted-when", "outputs", "stream");

  private static final Set<String> READING = Set.of("settings", "status", "headers");

  private DescriptorReader() {}

  /**
   * What a text came to.
   *
   * @param descriptor present if nothing is wrong
   * @param problems in the order of their lines
   * @param lines the line of each value by its JSON pointer
   */
  public record Result(
      Optional<Descriptor> descriptor, List<Problem> problems, ToIntFunction<String> lines) {}

  /** Reads {@code text}. Examples are not run here. */
  public static Result read(String text) {
    List<Problem> problems = new ArrayList<>();
    YamlText.Document document = YamlText.read(text, problems);
    if (!problems
        .isEmpty()) { // what follows from half a text would only hide what is wrong with it
      return new Result(
          Optional.empty(), problems.stream().distinct().sorted().toList(), document::line);
    }
    ShapeCheck.check(document, problems);
    Cursor root = new Cursor(document, document.root(), "", problems);
    Descriptor descriptor = descriptor(root);
    Rules.check(descriptor, root);
    List<Problem> sorted = problems.stream().distinct().sorted().toList();
    return new Result(
        sorted.isEmpty() ? Optional.of(descriptor) : Optional.empty(), sorted, document::line);
  }

  private static Descriptor descriptor(Cursor root) {
    return new Descriptor(
        root.text("name"),
        root.text("title"),
        root.at("read").date(),
        root.at("documents").elements().stream().map(Cursor::document).toList(),
        root.at("settings").fields(DescriptorReader::setting),
        Set.copyOf(root.texts("secrets")),
        Set.copyOf(root.texts("optional-secrets")),
        endpoint(root.at("endpoint")),
        auth(root.at("auth")),
        root.part("params", Cursor::node),
        CreateReader.create(root.at("create")),
        root.part("status", DescriptorReader::status),
        root.part("find", DescriptorReader::search),
        root.part("list", DescriptorReader::listing),
        root.part("compare", at -> at.jq(Set.of("settings"))),
        root.part("cancel", DescriptorReader::cancel),
        root.part("webhook", DescriptorReader::webhook),
        root.at("capabilities").elements().stream().map(DescriptorReader::capability).toList(),
        limits(root.at("limits")),
        timing(root.at("timing")),
        wire(root),
        root.has("examples") ? root.at("examples").node() : JsonNodeFactory.instance.objectNode());
  }

  private static String wire(Cursor root) {
    ObjectNode wire = JsonNodeFactory.instance.objectNode();
    for (String part : WIRE) {
      if (root.has(part) && root.at(part).node() instanceof ObjectNode node) {
        ObjectNode read = node.deepCopy();
        read.remove(ASIDE);
        wire.set(part, read);
      } else if (root.has(part)) {
        wire.set(part, root.at(part).node());
      }
    }
    byte[] text = wire.toString().getBytes(StandardCharsets.UTF_8);
    return Sha256.of(text).toString().substring(0, 8);
  }

  private static Setting setting(Cursor at) {
    return new Setting(
        at.text("about"),
        at.optionalText("default"),
        at.optionalText("pattern").orElse("[A-Za-z0-9][A-Za-z0-9._-]{0,127}"),
        at.part("place", place -> place.node().asBoolean()).orElse(true));
  }

  private static Endpoint endpoint(Cursor at) {
    return new Endpoint(
        at.part("base", base -> template(base, Set.of("settings"))),
        at.text("http").equals("2"),
        at.at("headers").fields(Cursor::text));
  }

  private static Auth auth(Cursor at) {
    if (at.has("signer")) {
      Cursor with = at.at("with");
      return new Auth.Signer(
          at.text("signer"),
          with.fields(value -> template(value, Set.of("settings"))),
          at.at("secrets").fields(Cursor::text));
    }
    if (at.has("bearer")) {
      return new Auth.Headers(Map.of("Authorization", "Bearer {" + at.text("bearer") + "}"));
    }
    return new Auth.Headers(at.at("headers").fields(Cursor::text));
  }

  static Call call(Cursor at, Set<String> variables) {
    return call(at, "GET", variables);
  }

  static Call call(Cursor at, String method, Set<String> variables) {
    Set<String> names = with(variables, "settings", "offers");
    return new Call(
        at.optionalText("method").orElse(method),
        template(at.at("path"), names),
        at.at("query").fields(value -> value.jq(names)),
        at.at("headers").fields(value -> value.jq(names)),
        at.part("body", body -> body.jq(names)));
  }

  private static Status status(Cursor at) {
    Set<String> reading = with(READING, "id");
    Map<String, TaskState> words = new LinkedHashMap<>();
    for (TaskState state : TaskState.values()) {
      String name = state.name().toLowerCase(Locale.ROOT);
      for (String word : at.at("states").texts(name)) {
        if (words.put(word, state) != null) {
          at.at("states").at(name).problem("'" + word + "' stands for two states");
        }
      }
    }
    return new Status(
        call(at, Set.of("id")),
        at.part("task-id", id -> id.jq(reading)),
        at.at("state").jq(reading),
        Map.copyOf(words),
        at.part("missing", DescriptorReader::missing),
        at.at("error").part("code", code -> code.jq(reading)),
        at.at("error").part("message", message -> message.jq(reading)),
        outputs(at.at("outputs"), reading),
        at.part("many", DescriptorReader::many));
  }

  private static Many many(Cursor at) {
    Set<String> reading = with(READING, "ids");
    return new Many(
        call(at, Set.of("ids")),
        at.at("tasks").jq(reading),
        at.at("task-id").jq(Set.of("settings")),
        at.at("most").node().asInt(),
        !at.text("source").equals("operator"));
  }

  static Outputs outputs(Cursor at, Set<String> reading) {
    return new Outputs(
        at.has("from") ? at.at("from").jq(reading) : at.jq("empty", reading),
        at.part("call", call -> call(call, Set.of("id", "task"))),
        at.texts("hosts"),
        at.texts("credential-below"));
  }

  static Missing missing(Cursor at) {
    return new Missing(at.statuses("status"), Set.copyOf(at.texts("codes")));
  }

  private static Search search(Cursor at) {
    return new Search(
        call(at, Set.of("key")),
        listed(at),
        at.part("missing", DescriptorReader::missing),
        at.part("keeps", Cursor::duration));
  }

  private static Listed listed(Cursor at) {
    return new Listed(
        at.at("tasks").jq(READING),
        at.at("task").at("id").jq(READING),
        at.at("task").part("created", value -> value.jq(READING)),
        at.at("task").part("reference", value -> value.jq(READING)),
        at.at("task").part("input", value -> value.jq(READING)));
  }

  private static Listing listing(Cursor at) {
    return new Listing(
        call(at, Set.of("from", "to", "from_ms", "to_ms", "cursor", "page", "limit")),
        listed(at),
        at.has("next") ? at.at("next").jq(with(READING, "page")) : at.jq("empty", Set.of()),
        at.text("filters-by-time").equals("true"),
        at.text("paging").equals("position"),
        at.text("order").equals("newest-first"),
        at.part("keeps", Cursor::duration),
        at.part("complete", value -> value.jq(READING)),
        at.part("total", value -> value.jq(READING)));
  }

  private static Cancel cancel(Cursor at) {
    return new Cancel(call(at, "POST", Set.of("id")), at.statuses("done"), at.statuses("too-late"));
  }

  private static Webhook webhook(Cursor at) {
    return new Webhook(
        at.at("verify").node(),
        at.at("task-id").jq(Set.of("settings", "headers")),
        at.part("reference", value -> value.jq(Set.of("settings", "headers"))),
        at.part("ours", value -> value.jq(Set.of("settings", "headers"))),
        at.part("event-id", value -> value.jq(Set.of("settings", "headers"))),
        at.part("challenge", value -> value.jq(Set.of("settings", "headers"))),
        at.part("state", value -> value.jq(Set.of("settings"))),
        at.part("outputs", value -> value.jq(Set.of("settings"))));
  }

  private static Capability capability(Cursor at) {
    Map<String, String> notes = new LinkedHashMap<>(at.at("notes").fields(Cursor::text));
    Optional<String> retention = at.optionalText("retention");
    boolean published = retention.isPresent() && !retention.get().equals("unpublished");
    return new Capability(
        Capability.Kind.of(at.text("kind")).orElse(Capability.Kind.NONE),
        at.text("source").equals("operator")
            ? Optional.empty()
            : at.part("source", Cursor::document),
        at.has("read") ? at.at("read").date() : LocalDate.EPOCH,
        published ? at.part("retention", Cursor::duration) : Optional.empty(),
        at.texts("needs").stream()
            .flatMap(word -> Capability.Kind.of(word).stream())
            .collect(Collectors.toUnmodifiableSet()),
        Map.copyOf(notes));
  }

  private static Limits limits(Cursor at) {
    return new Limits(
        at.optionalText("creates"),
        at.optionalText("reads"),
        at.part("tasks", tasks -> tasks.node().asInt()));
  }

  private static Timing timing(Cursor at) {
    return new Timing(
        at.part("connection-life", Cursor::duration),
        at.part("longest-hold", Cursor::duration),
        at.part("visibility-lag", Cursor::duration));
  }

  static PathTemplate template(Cursor at, Set<String> variables) {
    List<PathTemplate.Part> parts = new ArrayList<>();
    String text = at.text();
    int from = 0;
    for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', from)) {
      int close = text.indexOf('}', open);
      if (close < 0) {
        at.problem("a '{' without its '}'");
        break;
      }
      parts.add(new PathTemplate.Part.Literal(text.substring(from, open)));
      boolean keepsSlashes = text.startsWith("{+", open);
      Jq jq = at.jq(text.substring(open + (keepsSlashes ? 2 : 1), close), variables);
      parts.add(new PathTemplate.Part.Value(jq, keepsSlashes));
      from = close + 1;
    }
    parts.add(new PathTemplate.Part.Literal(text.substring(from)));
    return new PathTemplate(parts);
  }

  static Set<String> with(Set<String> names, String... more) {
    Set<String> all = new HashSet<>(names);
    all.addAll(List.of(more));
    return Set.copyOf(all);
  }
}
