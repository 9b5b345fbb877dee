package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.descriptor.ShapeCheck;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which parameters a provider takes. Thread-safe. */
final class ParamsRule {
  private static final int FAULTS_NAMED = 5;

  private final Schema schema;

  ParamsRule(JsonNode schema) {
    this.schema = ShapeCheck.of(schema.toString());
  }

  /** What speaks against parameters: places and rules, no values. */
  Optional<String> objection(Bytes params) {
    List<Error> errors = schema.validate(params.toUtf8(), InputFormat.JSON);
    return errors.isEmpty()
        ? Optional.empty()
        : Optional.of(
            errors.stream()
                .limit(FAULTS_NAMED)
                .map(error -> "params" + error.getInstanceLocation() + ": " + error.getMessage())
                .collect(Collectors.joining("; ")));
  }
}
