package dev.tollgate.cli;

import dev.tollgate.cli.dlt.DeadLetter;
import dev.tollgate.cli.dlt.Place;
import dev.tollgate.schema.kafka.DeadLetterHeaders;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description = "Shows one dead letter: where it came from, its headers, its value.",
    mixinStandardHelpOptions = true)
final class DltShowCommand implements Callable<Integer> {
  /** Headers that hold a number, by the end of their name. */
  private static final String[] NUMBERS = {"-partition", "-offset", "-timestamp"};

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin DltCommand.TopicOption topic = new DltCommand.TopicOption();

  @Parameters(
      paramLabel = "PARTITION@OFFSET",
      converter = DltCommand.PlaceConverter.class,
      description = "Where the letter lies, as `dlt list` says.")
  @Nullable Place place;

  @Override
  public Integer call() {
    Place wanted = java.util.Objects.requireNonNull(place);
    try (DltCommand.Opened opened = topic.open()) {
      DeadLetter letter =
          opened
              .letters()
              .at(wanted)
              .orElseThrow(
                  () ->
                      Failure.refused(
                          "no dead letter lies at %s of %s"
                              .formatted(wanted, opened.letters().topic())));
      print(opened.letters().topic(), letter);
    }
    return 0;
  }

  private void print(String name, DeadLetter letter) {
    PrintWriter out = spec.commandLine().getOut();
    field(out, "letter", name + " " + letter.place());
    field(out, "written", Shown.time(Instant.ofEpochMilli(letter.record().timestamp())));
    field(out, "code", Shown.line(letter.code()));
    field(out, "message", Shown.line(letter.message()));
    field(out, "replays", String.valueOf(letter.replays()));
    field(out, "key", Shown.bytes(letter.record().key()));
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
    out.flush();
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
