package dev.tollgate.loadtest.audit;

import dev.tollgate.loadtest.sandbox.Ledger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** All that is known of operations that break a rule, in a file for people. Stateless. */
public final class Details {
  private static final int OPERATIONS_MAX = 100;

  private Details() {}

  /** Writes the file. */
  public static void write(Path file, Facts facts, Report report) {
    List<String> lines = new ArrayList<>();
    report.violations().forEach(violation -> lines.add(violation.toString()));
    Set<String> keys =
        report.violations().stream()
            .map(Violation::key)
            .filter(Objects::nonNull)
            .limit(OPERATIONS_MAX)
            .collect(Collectors.toSet());
    for (Intended intended : facts.intended()) {
      if (keys.contains(intended.key().toString())) {
        describe(intended, facts, lines);
      }
    }
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException("details cannot be written to " + file, e);
    }
  }

  private static void describe(Intended intended, Facts facts, List<String> lines) {
    lines.add("");
    lines.add(intended.toString());
    Facts.Operation operation = facts.operations().get(intended.key());
    lines.add(operation == null ? "  not stored" : "  " + operation);
    if (operation != null) {
      operation.evidence().forEach(seen -> lines.add("    " + seen));
    }
    for (Ledger.Request request : facts.ledger().requests()) {
      if (intended.input().equals(request.input()) && intended.provider().equals(request.kind())) {
        lines.add("    " + request);
      }
    }
    facts.events().stream()
        .filter(event -> event.key().equals(intended.key()))
        .forEach(event -> lines.add("    " + event));
  }
}
