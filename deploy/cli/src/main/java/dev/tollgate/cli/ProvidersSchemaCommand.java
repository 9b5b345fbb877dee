package dev.tollgate.cli;

import dev.tollgate.worker.provider.descriptor.Catalogue;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "schema",
    description = "Prints the JSON Schema of descriptors, for editors: keep it beside your files.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate providers schema > provider.schema.json"})
final class ProvidersSchemaCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(Catalogue.schema());
    out.flush();
    return 0;
  }
}
