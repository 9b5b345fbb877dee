package dev.tollgate.worker.provider;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Texts out of answers, as they may be stored and shown. Stateless. */
public final class AnswerText {
  private AnswerText() {}

  /** One line of at most {@code max} characters: what is not printable becomes a question mark. */
  public static String printable(String text, int max) {
    String line = text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]", "?");
    return line.length() <= max ? line : line.substring(0, max);
  }

  /** An absolute address with a host. */
  public static Optional<URI> address(String text) {
    try {
      return Optional.of(new URI(text)).filter(uri -> uri.isAbsolute() && uri.getHost() != null);
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }
}
