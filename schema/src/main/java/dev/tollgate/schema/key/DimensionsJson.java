package dev.tollgate.schema.key;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import dev.tollgate.schema.json.Json;
import dev.tollgate.schema.json.StrictJson;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads {@link Dimensions} from JSON. Stateless. */
final class DimensionsJson {
  private static final String EXTRA = "dimensions";

  private DimensionsJson() {}

  static Dimensions read(Json.Obj fields) {
    for (String name : fields.members().keySet()) {
      if (!Dimensions.NAMES.contains(name) && !name.equals(EXTRA)) {
        throw RefusedException.invalid(
            "field " + Excerpt.bare(name) + " is not a dimension" + hint(name));
      }
    }
    String kind = text(fields, "kind");
    if (kind == null) {
      throw RefusedException.invalid("field kind is missing");
    }
    DimensionsBuilder builder =
        Dimensions.of(kind)
            .product(text(fields, "product"))
            .templateVersion(text(fields, "template_version"))
            .sourceFingerprint(text(fields, "source_fingerprint"))
            .promptVersion(text(fields, "prompt_version"))
            .locale(text(fields, "locale"))
            .aspectRatio(text(fields, "aspect_ratio"))
            .variant(text(fields, "variant"))
            .generation(generation(fields.get("generation")));
    readExtra(fields.get(EXTRA), builder);
    return builder.build();
  }

  /** The canonical form is flat: what is no fixed dimension is one of the producer's own. */
  static Dimensions readCanonical(String canonical) {
    if (!(StrictJson.normalising().read(canonical) instanceof Json.Obj flat)) {
      throw RefusedException.invalid("the dimensions are not an object");
    }
    SortedMap<String, Json> fixed = new TreeMap<>(flat.members());
    SortedMap<String, Json> extra = new TreeMap<>(flat.members());
    fixed.keySet().retainAll(Dimensions.NAMES);
    extra.keySet().removeAll(Dimensions.NAMES);
    fixed.put(EXTRA, new Json.Obj(extra));
    return read(new Json.Obj(fixed));
  }

  static SortedMap<String, Json> requestMembers(Dimensions dimensions) {
    SortedMap<String, Json> members = dimensions.fixed();
    if (!dimensions.extra().isEmpty()) {
      members.put(EXTRA, Json.Obj.ofTexts(new TreeMap<>(dimensions.extra())));
    }
    return members;
  }

  private static String hint(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return Dimensions.NAMES.contains(lower) ? " (it is written " + lower + ")" : "";
  }

  private static @Nullable String text(Json.Obj fields, String name) {
    return text(name, fields.get(name));
  }

  private static @Nullable String text(String name, @Nullable Json value) {
    if (value == null || value instanceof Json.Null) {
      return null;
    }
    if (value instanceof Json.Text text) {
      return text.value();
    }
    throw RefusedException.invalid(
        "field " + Excerpt.bare(name) + " is " + value.typeName() + ", not a string");
  }

  private static int generation(@Nullable Json value) {
    if (value == null) {
      return 1;
    }
    Long whole = value instanceof Json.Num number ? number.whole() : null;
    if (whole == null || whole < 1 || whole > Integer.MAX_VALUE) {
      throw RefusedException.invalid("field generation is not a whole number from 1");
    }
    return whole.intValue();
  }

  private static void readExtra(@Nullable Json value, DimensionsBuilder builder) {
    if (value == null) {
      return;
    }
    if (!(value instanceof Json.Obj extra)) {
      throw RefusedException.invalid("field dimensions is " + value.typeName() + ", not an object");
    }
    for (Map.Entry<String, Json> member : extra.members().entrySet()) {
      builder.extra(member.getKey(), text("dimensions." + member.getKey(), member.getValue()));
    }
  }
}
