package dev.tollgate.cli.dlt;

import dev.tollgate.schema.event.Decoded;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestDecoder;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which letters are meant: those that fit everything that is given. Immutable.
 *
 * @param codes one of these, if any is named
 * @param places at one of these, if any is named
 * @param from written at this moment or later
 * @param to written before this moment
 * @param key with this key, or one whose hash begins so
 * @param provider with a request for this provider, as far as that can be read
 * @param ends before these offsets, by partition: what came later is not meant; empty for all
 */
public record Selection(
    Set<String> codes,
    Set<Place> places,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable String key,
    @Nullable String provider,
    Map<Integer, Long> ends) {
  public static final Selection ALL =
      new Selection(Set.of(), Set.of(), null, null, null, null, Map.of());

  public Selection {
    codes = Set.copyOf(codes);
    places = Set.copyOf(places);
    ends = Map.copyOf(ends);
    key = key == null ? null : key.strip();
  }

  /** Whether it leaves anything out, but for what came later. */
  public boolean narrow() {
    return !(codes.isEmpty() && places.isEmpty()) || from != null || to != null || names();
  }

  private boolean names() {
    return key != null || provider != null;
  }

  /** The same letters, and none that came later than these offsets. */
  public Selection before(Map<Integer, Long> offsets) {
    return new Selection(codes, places, from, to, key, provider, offsets);
  }

  public boolean takes(DeadLetter letter) {
    Place place = letter.place();
    Instant at = letter.writtenAt();
    return (codes.isEmpty() || codes.contains(letter.code()))
        && (places.isEmpty() || places.contains(place))
        && (from == null || !at.isBefore(from))
        && (to == null || at.isBefore(to))
        && place.offset() < ends.getOrDefault(place.partition(), Long.MAX_VALUE)
        && (key == null || isKey(letter.key(), key))
        && (provider == null || provider.equals(provider(letter)));
  }

  private static boolean isKey(@Nullable String text, String typed) {
    if (text == null) {
      return false;
    }
    String key = text.toLowerCase(Locale.ROOT);
    String wanted = typed.toLowerCase(Locale.ROOT);
    return key.startsWith(wanted) || key.substring(key.indexOf(':') + 1).startsWith(wanted);
  }

  private static @Nullable String provider(DeadLetter letter) {
    return switch (RequestDecoder.decode(
        letter.record().key(), letter.record().value(), letter.producerHeaders())) {
      case Decoded.Request request -> request.request().provider();
      case Refused _ -> null;
    };
  }
}
