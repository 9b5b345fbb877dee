package dev.tollgate.schema.config;

import java.net.URI;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** What is wrong with the settings of outputs. */
final class OutputsCheck {
  private static final String OUTPUTS = "tollgate.outputs.";
  private static final String S3 = OUTPUTS + "s3.";

  /** What AWS allows; others allow more, and need not. */
  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

  /** Characters that every store takes and no address has to escape. */
  private static final Pattern PREFIX = Pattern.compile("(?:[A-Za-z0-9._-]+/)+");

  private static final Pattern REGION = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  /** What S3 takes as a part that is not the last. */
  private static final long PART_BYTES_MIN = 5L * 1024 * 1024;

  private static final long PART_BYTES_MAX = 5L * 1024 * 1024 * 1024;

  private final Consumer<String> found;

  private OutputsCheck(Consumer<String> found) {
    this.found = found;
  }

  static void check(OutputsConfig outputs, Consumer<String> found) {
    OutputsCheck check = new OutputsCheck(found);
    check.limits(outputs);
    if (outputs.store() == OutputsConfig.Store.S3) {
      check.bucket(outputs.s3());
      check.keys(outputs.s3());
    } else if (outputs.s3().bucket().isPresent()) {
      found.accept("%sbucket is of no use without %sstore = s3".formatted(S3, OUTPUTS));
    }
  }

  private void limits(OutputsConfig outputs) {
    if (outputs.bytesMax() < 1) {
      found.accept("%sbytes-max is %d, not at least 1".formatted(OUTPUTS, outputs.bytesMax()));
    }
    if (outputs.triesMax() < 1) {
      found.accept("%stries-max is %d, not at least 1".formatted(OUTPUTS, outputs.triesMax()));
    }
    if (outputs.goneAfter().isNegative()) {
      found.accept(OUTPUTS + "gone-after is negative");
    }
    if (outputs.unavailableAfter().isNegative()) {
      found.accept(OUTPUTS + "unavailable-after is negative");
    }
  }

  private void bucket(OutputsConfig.S3 s3) {
    if (s3.bucket().isEmpty()) {
      found.accept("%sbucket is missing: %sstore is s3".formatted(S3, OUTPUTS));
    } else if (!BUCKET.matcher(s3.bucket().get()).matches()) {
      found.accept(
          "%sbucket is '%s', not 3 to 63 lower-case letters, digits, dots and hyphens"
              .formatted(S3, PlainWords.shown(s3.bucket().get())));
    }
    s3.prefix()
        .filter(prefix -> !PREFIX.matcher(prefix).matches() || prefix.contains(".."))
        .ifPresent(
            prefix ->
                found.accept(
                    "%sprefix is '%s': it is words of letters, digits, dots, hyphens and underscores, each with a slash behind it"
                        .formatted(S3, PlainWords.shown(prefix))));
    if (!REGION.matcher(s3.region()).matches()) {
      found.accept("%sregion is '%s', which is none".formatted(S3, PlainWords.shown(s3.region())));
    }
    s3.endpoint().flatMap(OutputsCheck::fault).ifPresent(found);
    if (s3.partBytes() < PART_BYTES_MIN || s3.partBytes() > PART_BYTES_MAX) {
      found.accept(
          "%spart-bytes is %d, not from %d to %d"
              .formatted(S3, s3.partBytes(), PART_BYTES_MIN, PART_BYTES_MAX));
    }
  }

  private static Optional<String> fault(URI endpoint) {
    boolean plain =
        endpoint.getHost() != null
            && ("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme()))
            && endpoint.getRawUserInfo() == null
            && endpoint.getRawQuery() == null
            && endpoint.getRawFragment() == null;
    // not repeated: it may hold a credential
    return plain
        ? Optional.empty()
        : Optional.of(
            S3 + "endpoint is not http(s)://HOST[:PORT] without user, query and fragment");
  }

  private void keys(OutputsConfig.S3 s3) {
    if (s3.accessKey().isPresent() != s3.secretKey().isPresent()) {
      found.accept("%saccess-key and %ssecret-key come together".formatted(S3, S3));
    }
    if (s3.sessionToken().isPresent() && s3.accessKey().isEmpty()) {
      found.accept("%ssession-token is of no use without %saccess-key".formatted(S3, S3));
    }
    reference("access-key", s3.accessKey());
    reference("secret-key", s3.secretKey());
    reference("session-token", s3.sessionToken());
  }

  private void reference(String key, Optional<String> value) {
    if (value.isPresent() && !value.get().startsWith("env:") && !value.get().startsWith("file:")) {
      // not repeated: it may be the secret itself
      found.accept("%s%s is neither env:NAME nor file:PATH".formatted(S3, key));
    }
  }
}
