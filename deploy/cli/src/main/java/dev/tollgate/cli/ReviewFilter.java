package dev.tollgate.cli;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.store.OperationFilter;
import dev.tollgate.schema.store.OperationReader;
import dev.tollgate.schema.store.OperationSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which of the operations that wait for a person. */
final class ReviewFilter {
  @Option(
      names = {"-p", "--provider"},
      paramLabel = "NAME",
      description = "Only of this provider.")
  @Nullable String provider;

  @Option(
      names = "--code",
      paramLabel = "CODE",
      description = "Only with this reason, such as NO_WAY_TO_KNOW; may be given again.")
  List<Code> codes = new ArrayList<>();

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      converter = DltFilter.TimeConverter.class,
      description = "Only what has been in its state for longer, such as 2h or 3d.")
  @Nullable Instant olderThan;

  /** Whether anything was said. */
  boolean given() {
    return provider != null || !codes.isEmpty() || olderThan != null;
  }

  /**
   * Goes through those that fit, the newest change first.
   *
   * @param most how many at most
   * @return how many there were
   */
  long each(OperationReader reader, long most, Consumer<OperationSummary> operation) {
    OperationFilter filter =
        new OperationFilter(Set.of(), provider, true, OperationFilter.LIMIT_MAX, null);
    long seen = 0;
    while (true) {
      List<OperationSummary> page = reader.list(filter);
      for (OperationSummary one : page) {
        if (fits(one)) {
          if (seen == most) {
            return seen;
          }
          operation.accept(one);
          seen++;
        }
      }
      if (page.size() < filter.limit()) {
        return seen;
      }
      filter = filter.after(page.getLast().cursor());
    }
  }

  private boolean fits(OperationSummary operation) {
    return (codes.isEmpty() || codes.contains(operation.review()))
        && (olderThan == null || operation.changedAt().isBefore(olderThan));
  }
}
