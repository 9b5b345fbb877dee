package dev.tollgate.loadtest.sandbox;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the sandbox offers for finding a task again; each kind is a provider of its own. */
public enum Kind {
  /** Honours {@code Idempotency-Key}; no search. */
  KEYED,
  /** Finds tasks by the client reference in their body; does not deduplicate by it. */
  LOOKUP,
  /** Lists tasks of a creation time window. */
  LISTED,
  /** Offers nothing but the task by its id. */
  BLIND;

  private final String path = name().toLowerCase(Locale.ROOT);

  /** The first path segment, and the prefix of the kind's task ids. */
  public String path() {
    return path;
  }

  static @Nullable Kind ofPath(String path) {
    for (Kind kind : values()) {
      if (kind.path.equals(path)) {
        return kind;
      }
    }
    return null;
  }
}
