package dev.tollgate.cli;

import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.worker.ConfiguredProvider;
import dev.tollgate.worker.ConfiguredProvider.Described;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.ProviderTiming;
import dev.tollgate.worker.provider.Recourse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A configured provider in words, without a credential. Stateless. */
final class ConfiguredText {
  private ConfiguredText() {}

  static List<String> lines(ConfiguredProvider provider, ProviderConfig config) {
    ProviderProfile profile = provider.profile();
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: configured, spoken to by %s"
            .formatted(
                profile.name(),
                provider
                    .described()
                    .map(
                        at ->
                            "the descriptor %s (%s)".formatted(at.descriptor().name(), at.place()))
                    .orElse("the adapter " + config.adapter().orElse(""))));
    lines.add("  endpoint  " + provider.endpoint());
    provider.described().ifPresent(described -> settings(described, lines));
    TreeSet<String> secrets = new TreeSet<>(config.secrets().keySet());
    config.apiKey().ifPresent(_ -> secrets.add("api-key"));
    lines.add("  secrets   " + (secrets.isEmpty() ? "none" : String.join(", ", secrets)));
    lines.add("  offers    " + offers(profile) + " in use");
    provider.described().ifPresent(described -> leftOut(described, profile, lines));
    lines.add("");
    lines.add("times");
    ProviderTiming timing = profile.timing();
    lines.add("  submit-deadline  " + words(timing.submitDeadline()));
    lines.add("  connection-life  " + words(timing.connectionLife()));
    lines.add("  longest-hold     " + words(timing.longestHold()));
    lines.add("  visibility-lag   " + words(timing.visibilityLag()));
    lines.add("  horizon          " + words(horizon(timing)) + " after the claim");
    DescriptorText.numbered(
        DescriptorText.afterTimeout(
            profile.recourses(),
            timing.promiseRetention().map(time -> "within " + words(time)).orElse("never"),
            "for %s after the horizon".formatted(words(timing.callbackWait())),
            " (%s)".formatted(words(horizon(timing)))),
        lines);
    return lines;
  }

  private static void settings(Described described, List<String> lines) {
    described
        .settings()
        .properties()
        .forEach(
            setting ->
                lines.add(
                    "  setting   %s = %s"
                        .formatted(setting.getKey(), setting.getValue().asText())));
  }

  private static void leftOut(Described described, ProviderProfile profile, List<String> lines) {
    List<String> out =
        described.descriptor().capabilities().stream()
            .flatMap(capability -> capability.kind().recourse().stream())
            .filter(recourse -> !profile.recourses().contains(recourse))
            .map(Recourse::word)
            .toList();
    if (!out.isEmpty()) {
      lines.add("  left out  " + String.join(", ", out));
    }
  }

  /** What can be done after an unknown outcome, the first to be tried first. */
  static String offers(ProviderProfile profile) {
    return profile.recourses().isEmpty()
        ? "none"
        : profile.recourses().stream().map(Recourse::word).collect(Collectors.joining(", "));
  }

  /** From the claim on: what is sent is sent within the first half of the deadline. */
  private static Duration horizon(ProviderTiming timing) {
    return timing.submitDeadline().dividedBy(2).plus(timing.horizonAfter());
  }

  /** As it is written in a configuration. */
  private static String words(Duration duration) {
    return duration.isZero()
        ? "0s"
        : duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }
}
