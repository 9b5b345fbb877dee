package dev.tollgate.schema.key;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Json;
import dev.tollgate.schema.json.StrictJson;
import java.nio.charset.StandardCharsets;

/**
 * The submission parameters of one request in canonical form: RFC 8785, with strings and names in
 * NFC. This is what is hashed, stored and sent. Order inside arrays, white space inside strings (a
 * trailing line end too) and members that are null all count. {@code toString()} gives the length
 * only, since prompts are not for logs.
 */
public final class Params {
  private final String text;

  private Params(String text) {
    this.text = text;
  }

  /** The parameters that this object holds; it must come from a normalising reader. */
  public static Params of(Json.Obj params) {
    return new Params(params.canonical());
  }

  /**
   * The parameters that this JSON text holds.
   *
   * @throws RefusedException if the text is not strict JSON, or not an object
   */
  public static Params parse(String json) {
    if (StrictJson.normalising().read(json) instanceof Json.Obj params) {
      return of(params);
    }
    throw RefusedException.invalid("params is not an object");
  }

  /** The parameters that these bytes hold; see {@link #parse}. */
  public static Params fromBytes(byte[] json) {
    if (StrictJson.normalising().read(json) instanceof Json.Obj params) {
      return of(params);
    }
    throw RefusedException.invalid("params is not an object");
  }

  /** The canonical JSON text. */
  public String text() {
    return text;
  }

  /** The canonical JSON in UTF-8, in a new array. */
  public byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Params params && text.equals(params.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return "Params[" + text.length() + " characters]";
  }
}
