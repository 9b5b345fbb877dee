package dev.tollgate.cli;

import dev.tollgate.cli.dlt.DeadLetter;
import dev.tollgate.cli.dlt.Place;
import dev.tollgate.cli.dlt.Selection;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Nearest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which dead letters are meant: those that fit everything that is given. */
final class DltFilter {
  /** Codes that letters are given today; others may lie there from another build. */
  private static final List<Code> USUAL =
      List.of(
          Code.INVALID_EVENT,
          Code.KEY_PARAMETERS_MISMATCH,
          Code.UNKNOWN_PROVIDER,
          Code.UNSUPPORTED_VERSION,
          Code.EARLIER_NOT_FOUND,
          Code.EARLIER_STILL_OPEN,
          Code.GENERATION_LIMIT);

  @Option(
      names = "--code",
      paramLabel = "CODE",
      description = "Only letters with this code; may be given again.")
  List<String> codes = new ArrayList<>();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = {
        "Only letters written at this time or later:",
        "2026-03-01T10:00:00Z, 2026-03-01 (UTC), or 90m, 2h, 7d ago."
      })
  @Nullable Instant since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "Only letters written before this time.")
  @Nullable Instant until;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Only letters with this key; the first digits of its hash do.")
  @Nullable String key;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "Only requests for this provider, as far as they can be read.")
  @Nullable String provider;

  /**
   * What is meant.
   *
   * @param places only at these, if there are any
   * @throws Failure if that can be nothing
   */
  Selection selection(DltCommand.Source source, Collection<Place> places) {
    if (provider != null && source == DltCommand.Source.RECONCILE) {
      throw Failure.usage("reconcile events name no provider: --provider goes with requests alone");
    }
    return new Selection(codes(codes), Set.copyOf(places), since, until, key, provider, Map.of());
  }

  /**
   * Codes as they were typed.
   *
   * @throws Failure if one of them is none: it would select nothing, and look as if there were
   *     nothing
   */
  private static Set<String> codes(Collection<String> typed) {
    Set<String> known = new TreeSet<>(Set.of(DeadLetter.NO_CODE));
    Arrays.stream(Code.values()).map(Code::name).forEach(known::add);
    Set<String> codes = new TreeSet<>();
    for (String text : typed) {
      String code = text.strip().toUpperCase(Locale.ROOT);
      if (!known.contains(code)) {
        List<String> near = near(code, known);
        throw Failure.usage(
            "there is no code %s; %s"
                .formatted(
                    Shown.line(code),
                    near.isEmpty()
                        ? "dead letters usually have one of "
                            + String.join(", ", USUAL.stream().map(Code::name).toList())
                        : "did you mean " + String.join(" or ", near) + "?"));
      }
      codes.add(code);
    }
    return codes;
  }

  /** What letters have comes before what only something else has. */
  private static List<String> near(String code, Set<String> known) {
    List<String> usual = Nearest.of(code, USUAL.stream().map(Code::name).toList());
    return usual.isEmpty() ? Nearest.of(code, known) : usual;
  }

  /** Reads a moment, a day, or how long ago it was. */
  static final class TimeConverter implements ITypeConverter<Instant> {
    private static final Pattern AGO = Pattern.compile("([0-9]{1,6})([smhd])");
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    @Override
    public Instant convert(String text) {
      String time = text.strip();
      Matcher ago = AGO.matcher(time);
      try {
        if (ago.matches()) {
          return InstantSource.system().instant().minus(length(ago));
        }
        return DAY.matcher(time).matches()
            ? LocalDate.parse(time).atStartOfDay(ZoneOffset.UTC).toInstant()
            : Instant.parse(time);
      } catch (DateTimeException _) {
        throw new TypeConversionException(
            "'%s' is no time: 2026-03-01T10:00:00Z, 2026-03-01, or 2h ago as 2h".formatted(text));
      }
    }

    private static Duration length(Matcher ago) {
      long count = Long.parseLong(ago.group(1));
      return switch (ago.group(2)) {
        case "s" -> Duration.ofSeconds(count);
        case "m" -> Duration.ofMinutes(count);
        case "h" -> Duration.ofHours(count);
        default -> Duration.ofDays(count);
      };
    }
  }
}
