package dev.tollgate.schema.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.Converter;
import org.jspecify.annotations.Nullable;

/**
 * Reads an address. What is wrong with one is told without repeating it, and without a cause that
 * would: an address may hold a password.
 */
final class AddressConverter implements Converter<URI> {
  private static final long serialVersionUID = 1L;

  /** What every refusal begins with. */
  static final String REFUSAL = "no address";

  @Override
  public @Nullable URI convert(String text) {
    if (text.isEmpty()) {
      return null; // as if it were not set
    }
    OptionalInt fault = fault(text);
    if (fault.isPresent()) {
      throw new IllegalArgumentException(
          fault.getAsInt() > 0
              ? "%s (character %d)".formatted(REFUSAL, fault.getAsInt())
              : REFUSAL);
    }
    return URI.create(text);
  }

  /** The number of the character at which it stops being an address; 0 if that is not known. */
  private static OptionalInt fault(String text) {
    try {
      new URI(text);
      return OptionalInt.empty();
    } catch (URISyntaxException e) {
      return OptionalInt.of(e.getIndex() + 1);
    }
  }
}
