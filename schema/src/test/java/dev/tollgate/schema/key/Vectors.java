package dev.tollgate.schema.key;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.provider.Arguments;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the vector files that producers in other languages check themselves against. */
final class Vectors {
  private Vectors() {}

  /** The members of one list of a file, each with its name first. */
  static Stream<Arguments> of(String file, String list) {
    String path = "/dev/tollgate/schema/vectors/" + file;
    try (InputStream in = Vectors.class.getResourceAsStream(path)) {
      JsonNode entries = JsonMapper.shared().readTree(in).get(list);
      return StreamSupport.stream(entries.spliterator(), false)
          .map(entry -> Arguments.of(entry.get("name").asString(), entry));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
