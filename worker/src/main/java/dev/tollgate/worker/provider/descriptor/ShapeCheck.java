package dev.tollgate.worker.provider.descriptor;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Holds a document against the JSON Schema of descriptors. Thread-safe. */
final class ShapeCheck {
  /** Beside the descriptors, so that an editor finds it. */
  static final String SCHEMA = "/dev/tollgate/providers/provider.schema.json";

  private static final Schema SHAPE = load();

  private ShapeCheck() {}

  static void check(YamlText.Document document, List<Problem> problems) {
    for (Error error : SHAPE.validate(document.root().toString(), InputFormat.JSON)) {
      String pointer = error.getInstanceLocation().toString();
      String at = pointer.equals("/") ? "" : pointer;
      problems.add(new Problem(document.line(at), YamlText.path(at), error.getMessage()));
    }
  }

  private static Schema load() {
    try (InputStream schema = ShapeCheck.class.getResourceAsStream(SCHEMA)) {
      if (schema == null) {
        throw new IllegalStateException(SCHEMA + " is missing from the program");
      }
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(new String(schema.readAllBytes(), StandardCharsets.UTF_8), InputFormat.JSON);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
