package dev.tollgate.schema.event;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Json;
import dev.tollgate.schema.key.Dimensions;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Params;
import dev.tollgate.schema.key.ProviderName;
import java.time.Instant;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The body of a request event, read and checked. */
record RequestBody(
    OperationKey key,
    String dimensions,
    String provider,
    Params params,
    @Nullable Instant deadline,
    @Nullable String productionTask,
    int generation,
    @Nullable Retry retry) {

  private static final Set<String> DIMENSION_FIELDS =
      Stream.concat(Dimensions.NAMES.stream(), Stream.of("dimensions"))
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> FIELDS =
      Stream.concat(
              DIMENSION_FIELDS.stream(),
              Stream.of(
                  "provider",
                  "params",
                  "deadline",
                  "production_task",
                  "version",
                  "retry_of",
                  "retry_by",
                  "retry_why"))
          .collect(Collectors.toUnmodifiableSet());

  /** The version is looked at first: a later one may have fields that this build cannot judge. */
  static RequestBody read(Fields fields) {
    fields.versionOne();
    fields.onlyKnown(FIELDS);
    Dimensions dimensions = Dimensions.fromJson(dimensionFields(fields.body()));
    String canonical = dimensions.canonicalJson();
    return new RequestBody(
        Dimensions.keyOf(dimensions.kind(), canonical),
        canonical,
        ProviderName.check(fields.requiredText("provider")),
        Params.of(fields.requiredObject("params")),
        fields.time("deadline"),
        fields.id("production_task"),
        dimensions.generation(),
        retry(fields, dimensions));
  }

  /**
   * The generation before is named, although it follows from the dimensions: whoever names it says
   * that it ended, and that is looked up before this one is taken in.
   */
  private static @Nullable Retry retry(Fields fields, Dimensions dimensions) {
    String of = fields.text("retry_of");
    String by = fields.id("retry_by");
    String why = fields.text("retry_why", Retry.WHY_CHARS_MAX);
    if (of == null) {
      if (by != null || why != null) {
        throw RefusedException.invalid("retry_by and retry_why belong to a request with retry_of");
      }
      return null;
    }
    int generation = dimensions.generation();
    if (generation < 2) {
      throw RefusedException.invalid(
          "retry_of is given, and generation is 1: it tries nothing again");
    }
    OperationKey before = dimensions.withGeneration(generation - 1).operationKey();
    if (!OperationKey.parse(of).equals(before)) {
      throw RefusedException.invalid(
          "retry_of is not generation %d of these dimensions, which is %s"
              .formatted(generation - 1, before));
    }
    return new Retry(before, by, why);
  }

  private static Json.Obj dimensionFields(Json.Obj body) {
    SortedMap<String, Json> dimensions = new TreeMap<>(body.members());
    dimensions.keySet().retainAll(DIMENSION_FIELDS);
    return new Json.Obj(dimensions);
  }
}
