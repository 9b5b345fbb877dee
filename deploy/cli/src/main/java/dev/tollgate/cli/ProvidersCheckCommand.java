package dev.tollgate.cli;

import dev.tollgate.worker.provider.described.Examples;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "check",
    description =
        "Reads descriptors and runs their examples; prints everything that is wrong, as FILE:LINE.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  tollgate providers check my-provider.json")
final class ProvidersCheckCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Descriptors: files, or names of shipped ones.")
  List<String> files = List.of();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    int wrong = 0;
    for (String file : files) {
      List<Problem> problems = Examples.checkAll(text(file));
      problems.forEach(problem -> out.println(file + ":" + problem));
      if (problems.isEmpty()) {
        out.println(file + ": fine");
      } else {
        wrong++;
      }
    }
    out.flush();
    return wrong == 0 ? 0 : Failure.REFUSED;
  }

  private static String text(String file) {
    Path path = Path.of(file);
    if (!Files.exists(path) && Catalogue.shippedNames().contains(file)) {
      return new Catalogue(Optional.empty()).find(file).orElseThrow().text();
    }
    try {
      return Files.readString(path);
    } catch (MalformedInputException e) {
      throw Failure.usage(file + " is not UTF-8", e);
    } catch (IOException e) {
      throw Failure.usage(
          "%s cannot be read, and no shipped descriptor is called so (%s)"
              .formatted(file, String.join(", ", Catalogue.shippedNames())),
          e);
    }
  }
}
