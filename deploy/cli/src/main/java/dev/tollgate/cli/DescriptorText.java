package dev.tollgate.cli;

import dev.tollgate.worker.provider.AnswerRule;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.descriptor.Capability;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Auth;
import dev.tollgate.worker.provider.descriptor.Descriptor.Documented;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A descriptor in words. Stateless. */
final class DescriptorText {
  private DescriptorText() {}

  static List<String> lines(Descriptor descriptor, String place) {
    List<String> lines = new ArrayList<>();
    lines.add("%s: %s (%s)".formatted(descriptor.name(), descriptor.title(), place));
    lines.add("documents read on " + descriptor.read());
    descriptor.documents().forEach(document -> lines.add("  " + document));
    needs(descriptor, lines);
    promises(descriptor, lines);
    numbered(afterTimeout(descriptor), lines);
    lines.add("");
    lines.add("answers to a create that are documented; every other one means: unknown");
    descriptor.create().answers().forEach(answer -> lines.add("  " + answer(answer)));
    limits(descriptor, lines);
    return lines;
  }

  private static void needs(Descriptor descriptor, List<String> lines) {
    lines.add("");
    lines.add("needs");
    if (descriptor.endpoint().base().isEmpty()) {
      lines.add("  endpoint: the address of your own");
    }
    new TreeSet<>(descriptor.secrets())
        .forEach(secret -> lines.add("  secret " + secret + ": env:NAME or file:PATH"));
    new TreeSet<>(descriptor.optionalSecrets())
        .forEach(secret -> lines.add("  secret " + secret + ", if there is one"));
    if (descriptor.auth() instanceof Auth.Signer signer) {
      lines.add("  requests are signed by " + signer.name());
    }
    descriptor
        .settings()
        .forEach(
            (name, setting) ->
                lines.add(
                    "  setting %s: %s%s"
                        .formatted(
                            name,
                            setting.about(),
                            setting
                                .otherwise()
                                .map(value -> " (default " + value + ")")
                                .orElse(" (required)"))));
  }

  private static void promises(Descriptor descriptor, List<String> lines) {
    lines.add("");
    lines.add("promises");
    for (Capability capability : descriptor.capabilities()) {
      lines.add(
          "  %s: %s"
              .formatted(
                  capability.kind().word(),
                  capability
                      .source()
                      .map(source -> source + ", read " + capability.read())
                      .orElse(
                          capability.kind() == Capability.Kind.NONE
                              ? "nothing is documented"
                              : "yours to say, by offers")));
      if (capability.kind() == Capability.Kind.IDEMPOTENT_CREATE) {
        lines.add(
            "    a key is remembered for "
                + capability
                    .retention()
                    .map(Object::toString)
                    .orElse("a time that is not published: set promise-retention to use it"));
      }
      capability.notes().forEach((about, note) -> lines.add("    " + about + ": " + note));
    }
  }

  /** What the reconciler does, in its order. */
  private static List<String> afterTimeout(Descriptor descriptor) {
    boolean remembered =
        descriptor.capabilities().stream()
            .filter(capability -> capability.kind() == Capability.Kind.IDEMPOTENT_CREATE)
            .anyMatch(capability -> capability.retention().isPresent());
    return afterTimeout(
        descriptor.capabilities().stream()
            .flatMap(capability -> capability.kind().recourse().stream())
            .toList(),
        "as long as the promise covers it"
            + (remembered ? "" : " (never, unless promise-retention says how long)"),
        "if tollgate.callbacks is set",
        "");
  }

  /**
   * What the reconciler does, in its order.
   *
   * @param covered until when it sends again under the same key
   * @param called on what, or until when, a callback is waited for
   * @param horizon when the horizon is past, in brackets, if that is known
   */
  static List<String> afterTimeout(
      List<Recourse> recourses, String covered, String called, String horizon) {
    List<String> steps = new ArrayList<>();
    steps.add("what its answers, however late or cut, named is asked about");
    boolean searches = false;
    for (Recourse recourse : recourses) {
      switch (recourse) {
        case IDEMPOTENT_CREATE ->
            steps.add("the same request is sent again under the same key, " + covered);
        case LOOKUP_BY_REFERENCE -> steps.add("the task is looked up by the operation's own key");
        case ECHOED_REFERENCE ->
            steps.add("the task list is searched for the one that carries the operation's own key");
        case LIST_BY_TIME ->
            steps.add(
                "the task list is searched for the one of that time that asked for the same;"
                    + " several are for a person");
        case CALLBACK_PER_REQUEST -> steps.add("the callback is waited for, " + called);
        case NONE -> {}
      }
      searches |=
          recourse == Recourse.LOOKUP_BY_REFERENCE
              || recourse == Recourse.ECHOED_REFERENCE
              || recourse == Recourse.LIST_BY_TIME;
    }
    if (searches) {
      steps.add(
          "shown whole and not there, once the horizon is past%s: it is sent again"
              .formatted(horizon));
    }
    steps.add("else a person decides");
    return steps;
  }

  static void numbered(List<String> steps, List<String> lines) {
    lines.add("");
    lines.add("after a timeout, or any answer that proves nothing");
    for (int i = 0; i < steps.size(); i++) {
      lines.add("  %d. %s".formatted(i + 1, steps.get(i)));
    }
  }

  private static String answer(Documented answer) {
    AnswerRule rule = answer.rule();
    String statuses =
        rule.statuses().stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
    String codes =
        rule.codes().isEmpty()
            ? ""
            : " " + rule.codes().stream().sorted().collect(Collectors.joining(", "));
    return "%s%s: %s (%s)".formatted(statuses, codes, rule.means().word(), answer.source());
  }

  private static void limits(Descriptor descriptor, List<String> lines) {
    List<String> known = new ArrayList<>();
    descriptor.limits().creates().ifPresent(rate -> known.add("creates " + rate));
    descriptor.limits().reads().ifPresent(rate -> known.add("calls about tasks " + rate));
    descriptor.limits().tasks().ifPresent(tasks -> known.add("tasks at once " + tasks));
    if (!known.isEmpty()) {
      lines.add("");
      lines.add("documented limits: " + String.join(", ", known));
    }
  }
}
