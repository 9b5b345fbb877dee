package dev.tollgate.schema.key;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import dev.tollgate.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What tells one intended output from another. The constructor brings every component to its
 * canonical form, so that two records are equal exactly when their operation keys are.
 *
 * <p>Rules: text is NFC (not NFKC) and trimmed, inner spaces are kept, and {@code ""} is refused. A
 * dimension that is absent and one that is null are the same: it is left out of the canonical form.
 * The locale is a BCP 47 tag with normal letter case, the aspect ratio is reduced, and the
 * generation is 1 where none is given. Beside the kind at least one dimension of text must be
 * there: a kind alone would name every output alike.
 *
 * @param kind what is generated: {@code [a-z][a-z0-9_-]{0,23}}
 * @param product what it is generated for
 * @param templateVersion version of the template
 * @param sourceFingerprint fingerprint of the source material
 * @param promptVersion version of the prompt
 * @param locale BCP 47 tag, such as {@code en-US}; {@code en_us} is taken as the same
 * @param aspectRatio reduced ratio, such as {@code 16:9}
 * @param variant which of several wanted versions
 * @param generation 1 for the first try, one more for each new, separately paid one
 * @param extra further dimensions of the producer's own: names {@code [a-z][a-z0-9_]*} that are not
 *     names of the fixed ones; sorted
 */
public record Dimensions(
    String kind,
    @Nullable String product,
    @Nullable String templateVersion,
    @Nullable String sourceFingerprint,
    @Nullable String promptVersion,
    @Nullable String locale,
    @Nullable String aspectRatio,
    @Nullable String variant,
    int generation,
    Map<String, String> extra) {

  /** Names of the fixed dimensions, as events and the canonical form write them. */
  public static final Set<String> NAMES =
      Set.of(
          "kind",
          "product",
          "template_version",
          "source_fingerprint",
          "prompt_version",
          "locale",
          "aspect_ratio",
          "variant",
          "generation");

  /** More than this is data, not a name. */
  public static final int EXTRA_MAX = 32;

  private static final Pattern EXTRA_NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  public Dimensions {
    kind = DimensionText.canonical("kind", kind);
    if (!OperationKey.isKind(kind)) {
      throw RefusedException.invalid(
          "kind " + Excerpt.of(kind) + " does not match [a-z][a-z0-9_-]{0,23}");
    }
    product = text("product", product);
    templateVersion = text("template_version", templateVersion);
    sourceFingerprint = text("source_fingerprint", sourceFingerprint);
    promptVersion = text("prompt_version", promptVersion);
    locale = locale == null ? null : LocaleTag.canonical(trimmed("locale", locale));
    aspectRatio =
        aspectRatio == null ? null : AspectRatio.canonical(trimmed("aspect_ratio", aspectRatio));
    variant = text("variant", variant);
    if (generation < 1) {
      throw RefusedException.invalid("generation " + generation + " is less than 1");
    }
    extra = canonicalExtra(extra);
    boolean named =
        product != null
            || templateVersion != null
            || sourceFingerprint != null
            || promptVersion != null
            || locale != null
            || aspectRatio != null
            || variant != null
            || !extra.isEmpty();
    if (!named) {
      throw RefusedException.invalid(
          "no dimension beside kind and generation is given, so every output would have one key");
    }
  }

  /** A builder for this kind. */
  public static DimensionsBuilder of(String kind) {
    return new DimensionsBuilder(kind);
  }

  /**
   * The dimensions that this JSON object gives: the fixed ones by name, further ones inside its
   * member {@code dimensions}, and nothing else.
   *
   * @throws RefusedException if a member is unknown, has the wrong type or is not acceptable
   */
  public static Dimensions fromJson(Json.Obj fields) {
    return DimensionsJson.read(fields);
  }

  /**
   * The dimensions whose {@link #canonicalJson()} this is.
   *
   * @throws RefusedException if it is not that of any
   */
  public static Dimensions fromCanonicalJson(String canonical) {
    return DimensionsJson.readCanonical(canonical);
  }

  /** The same output's other generation. */
  public Dimensions withGeneration(int other) {
    return new Dimensions(
        kind,
        product,
        templateVersion,
        sourceFingerprint,
        promptVersion,
        locale,
        aspectRatio,
        variant,
        other,
        extra);
  }

  /**
   * The members of a request that give these dimensions, as {@link #fromJson} reads them: further
   * ones stand inside {@code dimensions}.
   */
  public SortedMap<String, Json> requestMembers() {
    return DimensionsJson.requestMembers(this);
  }

  /** RFC 8785 canonical JSON: one flat object, with {@code generation} always in it. */
  public String canonicalJson() {
    SortedMap<String, Json> members = fixed();
    extra.forEach((name, value) -> put(members, name, value));
    return new Json.Obj(members).canonical();
  }

  /** The fixed dimensions that are given, by name. */
  SortedMap<String, Json> fixed() {
    SortedMap<String, Json> members = new TreeMap<>();
    put(members, "kind", kind);
    put(members, "product", product);
    put(members, "template_version", templateVersion);
    put(members, "source_fingerprint", sourceFingerprint);
    put(members, "prompt_version", promptVersion);
    put(members, "locale", locale);
    put(members, "aspect_ratio", aspectRatio);
    put(members, "variant", variant);
    members.put("generation", Json.Num.of(generation));
    return members;
  }

  /** The operation key: SHA-256 of {@link #canonicalJson()} in UTF-8. */
  public OperationKey operationKey() {
    return keyOf(kind, canonicalJson());
  }

  /** The operation key of canonical JSON that is at hand already. */
  public static OperationKey keyOf(String kind, String canonicalJson) {
    return new OperationKey(kind, Sha256.of(canonicalJson.getBytes(StandardCharsets.UTF_8)));
  }

  private static void put(SortedMap<String, Json> members, String name, @Nullable String value) {
    if (value != null) {
      members.put(name, new Json.Text(value));
    }
  }

  private static @Nullable String text(String name, @Nullable String value) {
    return value == null ? null : trimmed(name, value);
  }

  private static String trimmed(String name, String value) {
    return DimensionText.canonical(name, value);
  }

  private static SortedMap<String, String> canonicalExtra(Map<String, String> given) {
    if (given.size() > EXTRA_MAX) {
      throw RefusedException.invalid("dimensions has more than " + EXTRA_MAX + " members");
    }
    SortedMap<String, String> canonical = new TreeMap<>();
    given.forEach(
        (name, value) -> {
          if (!EXTRA_NAME.matcher(name).matches()) {
            throw RefusedException.invalid(
                "dimensions." + Excerpt.bare(name) + " does not match " + EXTRA_NAME);
          }
          if (NAMES.contains(name)) {
            throw RefusedException.invalid(
                "dimensions." + name + " is a fixed dimension; give it as a field of its own");
          }
          canonical.put(name, DimensionText.canonical("dimensions." + name, value));
        });
    return Collections.unmodifiableSortedMap(canonical);
  }
}
