package dev.tollgate.cli;

import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.DescriptorReader;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description = "Shows one provider: what is known of it, and what follows after a timeout.",
    mixinStandardHelpOptions = true)
final class ProvidersShowCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Mixin ProvidersCommand.FolderOption folder = new ProvidersCommand.FolderOption();

  @Parameters(paramLabel = "NAME", description = "A descriptor's name, or a file.")
  String name = "";

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Catalogue catalogue = folder.catalogue();
    Catalogue.Text text =
        catalogue
            .find(name)
            .orElseThrow(
                () ->
                    Failure.usage(
                        "there is no descriptor %s; there are %s"
                            .formatted(name, String.join(", ", catalogue.names()))));
    DescriptorReader.Result result = DescriptorReader.read(text.text());
    if (result.descriptor().isEmpty()) {
      result.problems().forEach(problem -> out.println(name + ":" + problem));
      out.flush();
      return Failure.REFUSED;
    }
    DescriptorText.lines(result.descriptor().get(), text.place()).forEach(out::println);
    out.flush();
    return 0;
  }
}
