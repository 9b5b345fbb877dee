package dev.tollgate.cli;

import dev.tollgate.schema.store.DeadLetterRun;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "discard",
    description = {
      "Marks dead letters as not wanted: they are no longer listed, and not replayed unless that is asked for.",
      "Nothing is deleted from Kafka."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  tollgate dlt discard --code INVALID_EVENT --until 7d --why \"a test of theirs\"")
final class DltDiscardCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin DltRun run = new DltRun();

  @Override
  public Integer call() {
    return run.call(
        spec,
        new DltRun.Asked(
            DeadLetterRun.Kind.DISCARD, false, false, Integer.MAX_VALUE, Optional.empty()));
  }
}
