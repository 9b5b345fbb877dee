package dev.tollgate.cli;

import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.DescriptorReader;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    description = "Lists descriptors and what their providers promise.",
    mixinStandardHelpOptions = true)
final class ProvidersListCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Mixin ProvidersCommand.FolderOption folder = new ProvidersCommand.FolderOption();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Catalogue catalogue = folder.catalogue();
    int faulty = 0;
    out.printf("%-16s %-52s %s%n", "NAME", "PROVIDER", "PROMISES");
    for (String name : catalogue.names()) {
      Optional<Descriptor> descriptor =
          catalogue.find(name).flatMap(text -> DescriptorReader.read(text.text()).descriptor());
      if (descriptor.isEmpty()) {
        faulty++;
        out.printf("%-16s %s%n", name, "has faults: see providers check");
      } else {
        out.printf("%-16s %-52s %s%n", name, descriptor.get().title(), promises(descriptor.get()));
      }
    }
    out.flush();
    return faulty == 0 ? 0 : Failure.REFUSED;
  }

  private static String promises(Descriptor descriptor) {
    return descriptor.capabilities().stream()
        .map(capability -> capability.kind().word())
        .collect(Collectors.joining(", "));
  }
}
