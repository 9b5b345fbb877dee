package dev.tollgate.schema;

/**
 * A value from outside that the contract refuses, with the reason code to report. The message names
 * the field and never repeats more of the value than a short, escaped excerpt.
 *
 * <p>It carries no stack trace: it says something about the caller's input, not about the program,
 * and a flood of bad input must not pay for stack walks.
 */
public final class RefusedException extends IllegalArgumentException {
  private final Code code;

  /**
   * @param code the reason to report
   * @param message what is wrong, naming the field
   */
  public RefusedException(Code code, String message) {
    super(message);
    this.code = code;
  }

  /** The refusal that means "this cannot be understood, or contradicts itself". */
  public static RefusedException invalid(String message) {
    return new RefusedException(Code.INVALID_EVENT, message);
  }

  /** The reason code to report. */
  public Code code() {
    return code;
  }

  /** The message, which is never null here. */
  public String reason() {
    return String.valueOf(getMessage());
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
