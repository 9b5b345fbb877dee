package dev.tollgate.cli;

import dev.tollgate.cli.serve.RedactedSettings;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.store.Database;
import dev.tollgate.worker.Worker;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "migrate",
    description = "Brings the database's schema to this build's version; safe to repeat.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate migrate --config tollgate.properties"})
final class MigrateCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();

  @Override
  public void run() {
    TollgateConfig config = configuration.required();
    Reach.database(config);
    Database.migrate(Worker.settings(config));
    spec.commandLine()
        .getOut()
        .println(
            "the schema of %s is this build's"
                .formatted(RedactedSettings.withoutQuery(config.database().url())));
  }
}
