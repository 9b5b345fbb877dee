package dev.tollgate.worker.provider;

import dev.tollgate.schema.store.Terms;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What a provider offers, by its own documentation, to find out what became of a create. */
public enum Recourse {
  /** The same key sent again gives the first task's answer, for as long as it promises to. */
  IDEMPOTENT_CREATE(Terms.KEY),
  /** Tasks can be looked up by a reference that the create carried. */
  LOOKUP_BY_REFERENCE(1 << 1),
  /** Tasks can be listed, and show the reference that the create carried. */
  ECHOED_REFERENCE(1 << 2),
  /** Tasks can be listed by creation time, and show what was asked for. */
  LIST_BY_TIME(0),
  /** The create carries an address at which the provider reports the task. */
  CALLBACK_PER_REQUEST(1 << 3),
  /** Nothing: a person decides. */
  NONE(0);

  /** As stored with each attempt: a number keeps its meaning for ever. */
  private final int bit;

  Recourse(int bit) {
    this.bit = bit;
  }

  /** What creates carry where these are in use, as {@link Terms#carries}. */
  public static int bits(Collection<Recourse> recourses) {
    return recourses.stream().mapToInt(recourse -> recourse.bit).reduce(0, (a, b) -> a | b);
  }

  /** What creates carried, in words; the opposite of {@link #bits}. */
  public static List<String> words(int carried) {
    return Arrays.stream(values())
        .filter(recourse -> recourse.bit != 0 && recourse.servedBy(carried))
        .map(Recourse::word)
        .toList();
  }

  /** Whether creates that carried this can be looked for this way. */
  public boolean servedBy(int carried) {
    return (carried & bit) == bit;
  }

  /** The word in configurations and texts. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the provider can be asked at once: a callback is only waited for. */
  public boolean asks() {
    return this != CALLBACK_PER_REQUEST && this != NONE;
  }
}
