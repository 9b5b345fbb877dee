package dev.tollgate.cli;

import dev.tollgate.schema.config.KnownKeys;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "settings",
    description = {
      "Lists every key that a configuration can have, with its default.",
      "NAME is a name of your own: of a provider, of a budget, of a secret of a descriptor."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate settings"})
final class SettingsCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    KnownKeys.all()
        .forEach(
            (key, otherwise) ->
                out.println(otherwise.map(value -> key + " = " + value).orElse(key)));
    out.flush();
    return 0;
  }
}
