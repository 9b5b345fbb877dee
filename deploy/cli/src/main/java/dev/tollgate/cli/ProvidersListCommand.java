package dev.tollgate.cli;

import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.worker.ConfiguredProvider;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.DescriptorReader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    description = {
      "Lists descriptors and what their providers promise;",
      "with a configuration first its own providers, and what is in use of them."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate providers list"})
final class ProvidersListCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Mixin ProvidersCommand.WhereOption options = new ProvidersCommand.WhereOption();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    ProvidersCommand.Where where = options.find();
    Catalogue catalogue = where.catalogue();
    int faulty = configured(where);
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

  /** Prints the providers of a configuration; how many have faults. */
  private int configured(ProvidersCommand.Where where) {
    PrintWriter out = spec.commandLine().getOut();
    if (where.config().isEmpty()) {
      return 0;
    }
    List<String> faults = new ArrayList<>();
    int faulty = 0;
    out.printf("%-16s %-52s %s%n", "CONFIGURED", "SENDS TO", "OFFERS IN USE");
    for (Map.Entry<String, ProviderConfig> entry : where.providers().entrySet()) {
      Optional<ConfiguredProvider> provider = where.read(entry.getKey(), entry.getValue(), faults);
      if (provider.isEmpty()) {
        faulty++;
        out.printf("%-16s %s%n", entry.getKey(), "has faults");
      } else {
        out.printf(
            "%-16s %-52s %s%n",
            entry.getKey(),
            provider.get().profile().sendsTo().toString(),
            ConfiguredText.offers(provider.get().profile()));
      }
    }
    faults.forEach(fault -> out.println("  " + fault));
    out.println();
    return faulty;
  }

  private static String promises(Descriptor descriptor) {
    return descriptor.capabilities().stream()
        .map(capability -> capability.kind().word())
        .collect(Collectors.joining(", "));
  }
}
