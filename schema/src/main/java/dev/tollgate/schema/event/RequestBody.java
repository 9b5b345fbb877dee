package dev.tollgate.schema.event;

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
    @Nullable String productionTask) {

  private static final Set<String> DIMENSION_FIELDS =
      Stream.concat(Dimensions.NAMES.stream(), Stream.of("dimensions"))
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> FIELDS =
      Stream.concat(
              DIMENSION_FIELDS.stream(),
              Stream.of("provider", "params", "deadline", "production_task", "version"))
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
        fields.id("production_task"));
  }

  private static Json.Obj dimensionFields(Json.Obj body) {
    SortedMap<String, Json> dimensions = new TreeMap<>(body.members());
    dimensions.keySet().retainAll(DIMENSION_FIELDS);
    return new Json.Obj(dimensions);
  }
}
