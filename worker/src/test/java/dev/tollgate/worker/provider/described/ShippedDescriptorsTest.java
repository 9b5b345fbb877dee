package dev.tollgate.worker.provider.described;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.DescriptorReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShippedDescriptorsTest {
  static List<String> names() {
    return Catalogue.shippedNames();
  }

  @ParameterizedTest
  @MethodSource("names")
  void passesItsCheck(String name) {
    Catalogue.Text text = new Catalogue(Optional.empty()).find(name).orElseThrow();
    DescriptorReader.Result result = DescriptorReader.read(text.text());
    assertThat(result.problems()).as(name).isEmpty();
    Descriptor descriptor = result.descriptor().orElseThrow();
    assertThat(descriptor.name()).isEqualTo(name);
    assertThat(Examples.check(descriptor, result.lines())).as(name).isEmpty();
  }

  @Test
  void index_namesAllThereAre() throws IOException {
    Path folder = Path.of("src/main/resources/dev/tollgate/providers");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(file -> file.endsWith(".yaml"))
                  .map(file -> file.replace(".yaml", "")))
          .containsExactlyInAnyOrderElementsOf(names());
    }
  }
}
