package dev.tollgate.worker.provider;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What the bytes of a create answer say, as far as they came.
 *
 * @param form whether the bytes are one whole JSON object, and if not, what they are
 * @param id the task's id
 * @param idFault why there is none, or why the task cannot be asked about by it; else empty
 * @param errorCode the code of an error in the provider's own shape
 * @param error whether it speaks of an error, in whatever shape, or not of success
 * @param hint something else that looks like the id of a task
 */
public record AnswerReading(
    Form form,
    Optional<String> id,
    String idFault,
    Optional<String> errorCode,
    boolean error,
    Optional<String> hint) {

  /** What the bytes are as a whole. */
  public enum Form {
    OBJECT("an object"),
    BROKEN_OBJECT("not whole JSON"),
    OTHER_JSON("JSON, but no object"),
    NOT_JSON("not JSON"),
    EMPTY("empty");

    private final String words;

    Form(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  private static final Predicate<String> USABLE_ID =
      Pattern.compile("[\\x21-\\x7e]{1,256}").asMatchPredicate();
  private static final Predicate<String> USABLE_CODE =
      Pattern.compile("[A-Za-z0-9_.-]{1,64}").asMatchPredicate();

  /** Whether {@code id} can be stored and logged. */
  public static boolean usableId(String id) {
    return USABLE_ID.test(id);
  }

  /** Whether {@code code} can stand in a reason. */
  public static boolean usableCode(String code) {
    return USABLE_CODE.test(code);
  }
}
