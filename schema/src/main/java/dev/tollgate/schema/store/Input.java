package dev.tollgate.schema.store;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The rows that a statement is given: one bind value for each column, an array of its values. */
final class Input {
  private Input() {}

  /**
   * A subquery of the columns, in the order of their bind values. The arrays are unnested side by
   * side in the select list: in FROM, the server would first store each of them row by row.
   *
   * @param columns name and type of each, such as {@code "op_key bytea"}
   */
  static String of(String... columns) {
    return Arrays.stream(columns)
        .map(column -> column.split(" ", 2))
        .map(column -> "unnest(?::%s[]) AS %s".formatted(column[1], column[0]))
        .collect(Collectors.joining(", ", "(SELECT ", ")"));
  }
}
