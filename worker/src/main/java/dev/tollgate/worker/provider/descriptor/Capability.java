package dev.tollgate.worker.provider.descriptor;

import dev.tollgate.worker.provider.Recourse;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that a provider promises, with the document that says so.
 *
 * @param source the document's address; absent only where the operator's own endpoint promises
 * @param read the day it was read
 * @param retention how long an idempotency key is remembered, where that is published
 * @param needs other capabilities without which this one is empty: a key that travels only inside a
 *     callback's address, for one
 * @param notes further facts, for people: which field, what a mismatch answers, ...
 */
public record Capability(
    Kind kind,
    Optional<URI> source,
    LocalDate read,
    Optional<Duration> retention,
    Set<Kind> needs,
    Map<String, String> notes) {

  /** What can be promised. */
  public enum Kind {
    IDEMPOTENT_CREATE(Recourse.IDEMPOTENT_CREATE),
    /** A second create with the same reference is refused; by itself it finds nothing. */
    UNIQUE_CLIENT_REFERENCE(null),
    LOOKUP_BY_REFERENCE(Recourse.LOOKUP_BY_REFERENCE),
    ECHOED_REFERENCE(Recourse.ECHOED_REFERENCE),
    LIST_BY_TIME(Recourse.LIST_BY_TIME),
    CALLBACK_PER_REQUEST(Recourse.CALLBACK_PER_REQUEST),
    NONE(null);

    private final @Nullable Recourse recourse;

    Kind(@Nullable Recourse recourse) {
      this.recourse = recourse;
    }

    /** What can be done with it after an unknown outcome. */
    public Optional<Recourse> recourse() {
      return Optional.ofNullable(recourse);
    }

    /** The word in a descriptor. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The kind that a word stands for. */
    public static Optional<Kind> of(String word) {
      for (Kind kind : values()) {
        if (kind.word().equals(word)) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    }
  }
}
