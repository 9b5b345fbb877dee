package dev.tollgate.schema.event;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The topics of one installation, all keyed by the operation key's text.
 *
 * @param prefix what their names start with: Kafka's alphabet, at most 200 characters
 */
public record Topics(String prefix) {
  private static final Pattern PREFIX = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._-]{0,199}");

  /** The prefix where none is configured; made after the pattern it needs. */
  public static final Topics DEFAULT = new Topics("generation");

  public Topics {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException("topic prefix does not match " + PREFIX);
    }
  }

  /** What producers want generated. */
  public String requests() {
    return prefix + ".requests";
  }

  /** Operations whose remote state is not known. */
  public String reconcile() {
    return prefix + ".reconcile";
  }

  /** What became of operations. */
  public String events() {
    return prefix + ".events";
  }

  /** Streamed output. */
  public String chunks() {
    return prefix + ".chunks";
  }

  /** Requests that could not be taken in. */
  public String requestsDlt() {
    return requests() + ".dlt";
  }

  /** Reconcile events that could not be read. */
  public String reconcileDlt() {
    return reconcile() + ".dlt";
  }

  /** All of them. */
  public List<String> all() {
    return List.of(requests(), reconcile(), events(), chunks(), requestsDlt(), reconcileDlt());
  }
}
