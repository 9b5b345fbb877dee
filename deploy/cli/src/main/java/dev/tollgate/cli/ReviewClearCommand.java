package dev.tollgate.cli;

import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.OperationReader;
import dev.tollgate.schema.store.PostgresSuspicions;
import dev.tollgate.schema.store.Suspicions;
import dev.tollgate.worker.Worker;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "clear",
    description = {
      "Records that somebody looked into what is suspected of an operation: a task besides its own, a late success, equal"
          + " bytes.",
      "Nothing else about it changes. Until then it is listed by `review duplicates`, and never forgotten."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer =
        "  tollgate review clear 3f9a61c2 --task task_77 --why \"credited, their ticket 4711\"")
final class ReviewClearCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Parameters(paramLabel = "KEY", description = MeantKey.DESCRIPTION)
  String key = "";

  @Option(
      names = "--task",
      paramLabel = "REMOTE_ID",
      description = "Only what is suspected of this task; else all that is suspected by now.")
  @Nullable String task;

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "What was found out; kept with the operation.")
  String why = "";

  @Option(
      names = "--who",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "Who looked into it (default: ${DEFAULT-VALUE}).")
  String who = "";

  @Override
  public Integer call() {
    if (why.isBlank() || who.isBlank() || (task != null && task.isBlank())) {
      throw Failure.usage("--why, --who and --task take some text");
    }
    String wanted = MeantKey.checked(key);
    TollgateConfig config = configuration.required();
    Reach.schema(config);
    try (Database database = new Database(Worker.settings(config), "tollgate-cli", 1, null)) {
      OperationKey meant = MeantKey.in(new OperationReader(database.dsl()), wanted);
      String note = "by %s: %s".formatted(Shown.line(who.strip()), Shown.line(why.strip()));
      boolean stored =
          new PostgresSuspicions(database.dsl())
              .close(
                  meant, task == null ? null : task.strip(), Suspicions.Fate.SETTLED, true, note);
      if (!stored) {
        throw MeantKey.unknown(wanted);
      }
      PrintWriter out = spec.commandLine().getOut();
      out.println(meant + "  cleared");
      out.flush();
    }
    return 0;
  }
}
