package dev.tollgate.worker.provider.descriptor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Holds {@code auth} against its shape in words of its own: the JSON Schema says the same, but a
 * choice of four shapes that is missed is told as the misses of all four, and here it is most often
 * a credential that stands in clear text. Never repeats a value. Stateless.
 */
final class AuthCheck {
  static final String POINTER = "/auth";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");

  /** What is no name although it could be one: credentials in lower case. */
  private static final Pattern NO_NAME = Pattern.compile("(?=.{20})(?:[^0-9]*[0-9]){4}.*");

  private static final List<String> CHOICES = List.of("bearer", "headers", "signer", "none");
  static final String WHERE =
      "the configuration says where the credential is (env:NAME or file:PATH)";

  private AuthCheck() {}

  /** Adds what is wrong; says whether anything is. */
  static boolean isFine(Cursor auth) {
    if (auth.node().isMissingNode()) {
      return true; // that it has to be there is said elsewhere
    }
    if (!auth.node().isObject()
        || CHOICES.stream().filter(auth.node()::has).count() != 1
        || !unknown(auth).isEmpty()) {
      auth.problem(
          "must have one of: bearer with a secret's name; headers; signer, with its secrets and,"
              + " where it needs settings, with; none: true");
      return false;
    }
    return auth.has("bearer")
        ? secretsName(auth.at("bearer"))
        : auth.has("headers")
            ? headers(auth.at("headers"))
            : auth.has("signer") ? signer(auth) : none(auth);
  }

  private static List<String> unknown(Cursor auth) {
    List<String> unknown = new ArrayList<>();
    auth.node().fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(CHOICES);
    if (auth.has("signer")) {
      unknown.removeAll(List.of("with", "secrets"));
    }
    return unknown;
  }

  private static boolean secretsName(Cursor at) {
    if (NAME.matcher(at.text()).matches() && !NO_NAME.matcher(at.text()).matches()) {
      return true;
    }
    if (!Rules.looksLikeCredential(at.text())) { // else that is said
      at.problem("must be the name of a secret, such as api-key; " + WHERE);
    }
    return false;
  }

  private static boolean headers(Cursor at) {
    if (!at.node().isObject() || at.node().isEmpty()) {
      at.problem("must be headers by name, with secrets in braces, as X-Api-Key: \"{api-key}\"");
      return false;
    }
    boolean fine = true;
    for (Cursor header : at.fields(header -> header).values()) {
      if (Rules.named(header.text()).isEmpty()) {
        fine = false;
        if (!Rules.looksLikeCredential(header.text())) { // else that is said
          header.problem(
              "names no secret: write its name in braces where the credential belongs, as"
                  + " {api-key}; "
                  + WHERE);
        }
      }
    }
    return fine;
  }

  private static boolean signer(Cursor auth) {
    boolean fine = true;
    if (!auth.at("signer").node().isTextual()) {
      auth.at("signer").problem("must be the name of a request signer, such as aws-sigv4");
      fine = false;
    }
    if (!auth.at("secrets").node().isObject()) {
      auth.at("secrets").problem("must say which secret each of the signer's credentials is");
      fine = false;
    }
    for (Cursor secret : auth.at("secrets").fields(secret -> secret).values()) {
      fine &= secretsName(secret);
    }
    if (auth.has("with") && !auth.at("with").node().isObject()) {
      auth.at("with").problem("must be the signer's settings by name");
      fine = false;
    }
    for (Cursor setting : auth.at("with").fields(setting -> setting).values()) {
      if (!setting.node().isTextual()) {
        setting.problem("must be a text");
        fine = false;
      }
    }
    return fine;
  }

  private static boolean none(Cursor auth) {
    if (!auth.at("none").node().isBoolean() || !auth.at("none").node().booleanValue()) {
      auth.at("none").problem("must be true, where calls need no credential");
      return false;
    }
    return true;
  }
}
