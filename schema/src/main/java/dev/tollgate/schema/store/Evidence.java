package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Something that was observed about an operation. Written once, never changed, kept even where the
 * change it came with is refused.
 *
 * @param id chosen by the observer, so that writing it again adds nothing
 * @param status HTTP status, where there was one
 * @param body raw bytes, capped and redacted by the observer
 * @param truncated whether the body was cut to the cap
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Evidence(
    long id,
    Source source,
    Code code,
    @Nullable Integer status,
    @Nullable String remoteId,
    @Nullable String note,
    @Nullable String headers,
    byte @Nullable [] body,
    boolean truncated) {

  /** Most bytes of a raw body that are kept. */
  public static final int BODY_CAP = 16 * 1024;

  /** Where it was seen. */
  public enum Source {
    SUBMIT,
    SWEEP,
    LOOKUP,
    STATUS,
    OUTPUT,
    WEBHOOK,
    PERSON;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An id that no other observer chooses. */
  public static long newId() {
    return ThreadLocalRandom.current().nextLong();
  }

  /** Evidence that is a sentence, without bytes. */
  public static Evidence note(Source source, Code code, @Nullable String note) {
    return new Evidence(newId(), source, code, null, null, note, null, null, false);
  }
}
