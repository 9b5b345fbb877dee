package dev.tollgate.cli;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "key",
    description = "Prints the operation key of each request, one a line, without sending anything.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate key deploy/examples/requests.jsonl"})
final class KeyCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "Requests as JSON lines; - is standard input.")
  String file = "-";

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    int refusals = 0;
    try (Lines lines = Lines.open(file)) {
      for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
        switch (read(line)) {
          case RequestWriter.Ready ready -> out.println(ready.key());
          case Refused refused -> {
            refusals++;
            err.println(refusal(line, refused));
          }
        }
      }
    }
    out.flush();
    err.flush();
    return refusals == 0 ? 0 : Failure.REFUSED;
  }

  /** What a line is. */
  static RequestWriter.Written read(Lines.Line line) {
    return line.text() == null
        ? new Refused(Code.INVALID_EVENT, String.valueOf(line.fault()))
        : RequestWriter.fromJsonLine(line.text());
  }

  /** How a refused line is told. */
  static String refusal(Lines.Line line, Refused refused) {
    return "line %s: %s: %s"
        .formatted(String.valueOf(line.number()), refused.code(), refused.message());
  }
}
