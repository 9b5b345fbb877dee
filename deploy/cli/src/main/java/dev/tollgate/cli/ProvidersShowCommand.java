package dev.tollgate.cli;

import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.worker.ConfiguredProvider;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.DescriptorReader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description = "Shows one provider: what is known of it, and what follows after a timeout.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  tollgate providers show openai-responses"})
final class ProvidersShowCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Mixin ProvidersCommand.WhereOption options = new ProvidersCommand.WhereOption();

  @Parameters(
      paramLabel = "NAME",
      description = "A configured provider's name, else a descriptor's, or a file.")
  String name = "";

  @Override
  public Integer call() {
    ProvidersCommand.Where where = options.find();
    ProviderConfig configured = where.providers().get(name);
    return configured == null ? descriptor(where) : configured(where, configured);
  }

  private int configured(ProvidersCommand.Where where, ProviderConfig provider) {
    PrintWriter out = spec.commandLine().getOut();
    List<String> faults = new ArrayList<>();
    Optional<ConfiguredProvider> read = where.read(name, provider, faults);
    faults.forEach(out::println);
    read.ifPresent(found -> ConfiguredText.lines(found, provider).forEach(out::println));
    out.flush();
    return read.isPresent() ? 0 : Failure.REFUSED;
  }

  private int descriptor(ProvidersCommand.Where where) {
    PrintWriter out = spec.commandLine().getOut();
    Catalogue catalogue = where.catalogue();
    Catalogue.Text text =
        catalogue
            .find(name)
            .orElseThrow(
                () ->
                    Failure.usage(
                        "there is no %sdescriptor %s; there are %s"
                            .formatted(
                                where.config().isPresent() ? "configured provider or " : "",
                                name,
                                String.join(
                                    ", ",
                                    Stream.concat(
                                            where.providers().keySet().stream(),
                                            catalogue.names().stream())
                                        .distinct()
                                        .toList()))));
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
