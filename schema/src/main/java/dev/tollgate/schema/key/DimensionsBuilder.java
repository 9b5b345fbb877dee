package dev.tollgate.schema.key;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects {@link Dimensions}. Confined to one thread; null means "not given" everywhere. */
public final class DimensionsBuilder {
  private final String kind;
  private @Nullable String product;
  private @Nullable String templateVersion;
  private @Nullable String sourceFingerprint;
  private @Nullable String promptVersion;
  private @Nullable String locale;
  private @Nullable String aspectRatio;
  private @Nullable String variant;
  private int generation = 1;
  private final SortedMap<String, String> extra = new TreeMap<>();

  DimensionsBuilder(String kind) {
    this.kind = kind;
  }

  public DimensionsBuilder product(@Nullable String value) {
    product = value;
    return this;
  }

  public DimensionsBuilder templateVersion(@Nullable String value) {
    templateVersion = value;
    return this;
  }

  public DimensionsBuilder sourceFingerprint(@Nullable String value) {
    sourceFingerprint = value;
    return this;
  }

  public DimensionsBuilder promptVersion(@Nullable String value) {
    promptVersion = value;
    return this;
  }

  public DimensionsBuilder locale(@Nullable String value) {
    locale = value;
    return this;
  }

  public DimensionsBuilder aspectRatio(@Nullable String value) {
    aspectRatio = value;
    return this;
  }

  public DimensionsBuilder variant(@Nullable String value) {
    variant = value;
    return this;
  }

  public DimensionsBuilder generation(int value) {
    generation = value;
    return this;
  }

  /** A further dimension of the producer's own. */
  public DimensionsBuilder extra(String name, @Nullable String value) {
    if (value == null) {
      extra.remove(name);
    } else {
      extra.put(name, value);
    }
    return this;
  }

  /**
   * The dimensions in canonical form.
   *
   * @throws dev.tollgate.schema.RefusedException if one of them is not acceptable
   */
  public Dimensions build() {
    return new Dimensions(
        kind,
        product,
        templateVersion,
        sourceFingerprint,
        promptVersion,
        locale,
        aspectRatio,
        variant,
        generation,
        extra);
  }
}
