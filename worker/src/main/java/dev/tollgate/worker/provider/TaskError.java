package dev.tollgate.worker.provider;

/**
 * Why a remote task failed, in the provider's words (credentials taken out, length capped).
 *
 * @param code the provider's code, or {@code "unspecified"}
 * @param message its message; it may echo the prompt, so it is not for logs
 */
public record TaskError(String code, String message) {
  /** The code only. */
  @Override
  public String toString() {
    return "TaskError[" + code + "]";
  }
}
