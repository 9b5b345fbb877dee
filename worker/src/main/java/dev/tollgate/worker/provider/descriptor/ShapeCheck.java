package dev.tollgate.worker.provider.descriptor;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Locale;

/** Holds documents against JSON Schemas, that of descriptors above all. Thread-safe. */
public final class ShapeCheck {
  private static final Schema SHAPE = of(Catalogue.schema());

  private ShapeCheck() {}

  static void check(YamlText.Document document, List<Problem> problems) {
    for (Error error : SHAPE.validate(document.root().toString(), InputFormat.JSON)) {
      String pointer = error.getInstanceLocation().toString();
      String at = pointer.equals("/") ? "" : pointer;
      if (at.equals(AuthCheck.POINTER) || at.startsWith(AuthCheck.POINTER + "/")) {
        continue; // told in plainer words
      }
      String text =
          "minLength".equals(error.getKeyword()) ? "must not be empty" : error.getMessage();
      problems.add(new Problem(document.line(at), YamlText.path(at), text));
    }
  }

  /** A JSON Schema (2020-12) whose faults are told in English, whatever the machine speaks. */
  public static Schema of(String schema) {
    SchemaRegistryConfig english = SchemaRegistryConfig.builder().locale(Locale.ENGLISH).build();
    return SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, registry -> registry.schemaRegistryConfig(english))
        .getSchema(schema, InputFormat.JSON);
  }
}
