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
  BLIND,
  /** Answers a create with a stream of text that can be read on; offers nothing else. */
  TEXT;

  /** The key that its API asks for unless it is told another. */
  public static final String SANDBOX_KEY = "sandbox-key";

  /** What it signs its reports with unless it is told another. */
  public static final String WEBHOOK_SECRET = "whsec_c2FuZGJveC1zYW5kYm94LXNhbmRib3gtc2FuZGJveC0=";

  private final String path = name().toLowerCase(Locale.ROOT);

  /** The first path segment, and the prefix of the kind's task ids. */
  public String path() {
    return path;
  }

  /** Where below its path tasks are created and, by their ids, read. */
  String collection() {
    return this == TEXT ? "/responses" : "/tasks";
  }

  /** The shipped descriptor that its API fits. */
  public String descriptor() {
    return this == TEXT ? "openai-responses" : "http-json";
  }

  /** Whether it reports the changes of its tasks by itself. */
  public boolean reports() {
    return this != TEXT;
  }

  /** What its API promises, as a configuration says it. */
  public String offers() {
    return switch (this) {
      case KEYED -> "idempotent-create";
      case LOOKUP -> "lookup-by-reference";
      case LISTED -> "list-by-time";
      case BLIND, TEXT -> "none";
    };
  }

  /** The kind of that path; null if there is none. */
  public static @Nullable Kind ofPath(String path) {
    for (Kind kind : values()) {
      if (kind.path.equals(path)) {
        return kind;
      }
    }
    return null;
  }
}
