package dev.tollgate.schema.store;

import static dev.tollgate.schema.generated.Tables.INTENT;
import static dev.tollgate.schema.generated.Tables.OPERATION;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.key.Dimensions;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.OperationDetails.Generation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * Finds the generations of an output. Their keys follow from its dimensions, so they are probed for
 * one by one: no index ties operations together. Thread-safe.
 */
final class GenerationReader {
  /** How far the others are looked for in either direction. */
  static final int EITHER_WAY = 32;

  private final DSLContext db;

  GenerationReader(DSLContext db) {
    this.db = db;
  }

  /** What these dimensions say; empty where no producer could have given them. */
  static Optional<Dimensions> dimensions(String canonical) {
    try {
      return Optional.of(Dimensions.fromCanonicalJson(canonical));
    } catch (RefusedException _) {
      return Optional.empty();
    }
  }

  /** The stored ones around a generation, in their order. */
  List<Generation> around(Dimensions dimensions) {
    long number = dimensions.generation();
    Map<OperationKey, Integer> numbers = new TreeMap<>();
    for (long other = Math.max(1, number - EITHER_WAY);
        other <= Math.min(Integer.MAX_VALUE, number + EITHER_WAY);
        other++) {
      int generation = Math.toIntExact(other);
      numbers.put(dimensions.withGeneration(generation).operationKey(), generation);
    }
    List<Generation> found = new ArrayList<>();
    db.select(INTENT.OP_KEY, DSL.coalesce(OPERATION.STATE, INTENT.ENDED_STATE))
        .from(INTENT)
        .leftJoin(OPERATION)
        .on(INTENT.SOURCE_OFFSET.eq(OPERATION.SEQ), INTENT.OP_KEY.eq(OPERATION.OP_KEY))
        .where(INTENT.OP_KEY.in(numbers.keySet().stream().map(OperationKey::bytes).toList()))
        .forEach(
            row -> {
              OperationKey key = OperationKey.fromBytes(row.value1());
              found.add(
                  new Generation(
                      numbers.getOrDefault(key, 0),
                      key,
                      OperationState.of(row.value2().getLiteral())));
            });
    found.sort(Comparator.comparingInt(Generation::number));
    return found;
  }
}
