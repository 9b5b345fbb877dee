package dev.tollgate.cli;

import dev.tollgate.cli.dlt.DeadLetter;
import dev.tollgate.cli.dlt.Judge;
import dev.tollgate.cli.dlt.Place;
import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.DeadLetterFate;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description = {
      "Shows one dead letter: where it came from, its headers, its value;",
      "what is on record about its key, and what would come of a replay now."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  tollgate dlt show 3@120")
final class DltShowCommand implements Callable<Integer> {
  /** Headers that hold a number, by the end of their name. */
  private static final String[] NUMBERS = {"-partition", "-offset", "-timestamp"};

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();
  @Mixin DltCommand.TopicOption topic = new DltCommand.TopicOption();

  @Parameters(
      paramLabel = "PARTITION@OFFSET",
      converter = DltCommand.PlaceConverter.class,
      description = "Where the letter lies, as `dlt list` says.")
  @Nullable Place place;

  @Option(names = "--json", description = "One JSON object.")
  boolean json;

  /** What the database and today's build say of a letter. */
  private record Known(@Nullable String decided, @Nullable String record, String now) {}

  @Override
  public Integer call() {
    Place wanted = Objects.requireNonNull(place);
    try (DltDesk desk = DltDesk.open(configuration.required(), topic.source)) {
      DeadLetter letter =
          desk.letters()
              .at(wanted)
              .orElseThrow(
                  () ->
                      Failure.refused(
                          "no dead letter lies at %s of %s"
                              .formatted(wanted, desk.letters().topic())));
      Known known = known(desk, letter);
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        out.println(Shown.json(members(desk.letters().topic(), letter, known)));
      } else {
        print(out, desk.letters().topic(), letter, known);
      }
      out.flush();
    }
    return 0;
  }

  private Known known(DltDesk desk, DeadLetter letter) {
    Place at = letter.place();
    String decided =
        desk.runs()
            .of(desk.letters().id(), new DeadLetterFate.At(at.partition(), at.offset()))
            .map(
                fate ->
                    "%s at %s by run %d%s"
                        .formatted(
                            fate.fate().word(),
                            Shown.time(fate.at()),
                            fate.run(),
                            fate.note() == null ? "" : ", " + fate.note()))
            .orElse(null);
    String record =
        operation(letter)
            .map(key -> desk.standings().of(List.of(key)).get(key))
            .map(Judge::outcome)
            .orElse(null);
    String now =
        desk.judge(_ -> false, spec.commandLine().getErr()).of(List.of(letter)).getFirst().says();
    return new Known(decided, record, now);
  }

  private static Optional<OperationKey> operation(DeadLetter letter) {
    try {
      return Optional.ofNullable(letter.key()).map(OperationKey::parse);
    } catch (RefusedException _) {
      return Optional.empty();
    }
  }

  private static void print(PrintWriter out, String name, DeadLetter letter, Known known) {
    field(out, "letter", name + " " + letter.place());
    field(out, "written", Shown.time(letter.writtenAt()));
    field(out, "code", Shown.line(letter.code()));
    field(out, "message", Shown.line(letter.message()));
    field(out, "replays", String.valueOf(letter.replays()));
    field(out, "decided", Shown.line(known.decided()));
    field(out, "key", Shown.bytes(letter.record().key()));
    field(
        out,
        "known",
        known.record() == null ? "no operation has its key" : Shown.line(known.record()));
    field(out, "now", Shown.line(known.now()));
    out.println("headers");
    for (Header header : letter.record().headers()) {
      String whose = DeadLetterHeaders.ours(header.key()) ? "  " : "* ";
      out.println("  " + whose + Shown.line(header.key()) + ": " + Shown.line(value(header)));
    }
    out.println("  (* the producer's own)");
    byte[] value = letter.record().value();
    int length = value == null ? 0 : value.length;
    field(out, "value", length + " bytes" + (letter.shortened() ? ", shortened" : ""));
    out.println(Shown.bytes(value));
  }

  private static Map<String, @Nullable Object> members(
      String name, DeadLetter letter, Known known) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("topic", name);
    members.put("partition", letter.place().partition());
    members.put("offset", letter.place().offset());
    members.put("at", letter.writtenAt().toString());
    members.put("code", letter.code());
    members.put("message", letter.message());
    members.put("replays", letter.replays());
    members.put("key", letter.key());
    members.put("decided", known.decided());
    members.put("known", known.record());
    members.put("now", known.now());
    Map<String, String> headers = new LinkedHashMap<>();
    letter.record().headers().forEach(header -> headers.put(header.key(), value(header)));
    members.put("headers", headers);
    members.put("shortened", letter.shortened());
    members.put("value", Shown.bytes(letter.record().value()));
    return members;
  }

  private static String value(Header header) {
    byte[] value = header.value();
    if (value != null && DeadLetterHeaders.ours(header.key())) {
      for (String number : NUMBERS) {
        if (header.key().endsWith(number) && value.length == Long.BYTES) {
          return String.valueOf(ByteBuffer.wrap(value).getLong());
        }
        if (header.key().endsWith(number) && value.length == Integer.BYTES) {
          return String.valueOf(ByteBuffer.wrap(value).getInt());
        }
      }
    }
    return Shown.bytes(value);
  }

  private static void field(PrintWriter out, String name, String value) {
    out.printf(Locale.ROOT, "%-8s %s%n", name, value);
  }
}
