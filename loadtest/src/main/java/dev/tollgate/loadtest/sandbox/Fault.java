package dev.tollgate.loadtest.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * What happens to one create request. Immutable.
 *
 * @param family which misbehaviour
 * @param amount milliseconds, or bytes for {@link Family#ACCEPT_CUT}; 0 where the family takes none
 */
public record Fault(Family family, int amount) {
  /** The orderly answer. */
  public static final Fault ACCEPT = new Fault(Family.ACCEPT, 0);

  /** How a family writes its amount. */
  private enum Argument {
    NONE,
    BYTES,
    MILLIS
  }

  /** The misbehaviours, without their amounts. */
  public enum Family {
    /** Task made, answered. */
    ACCEPT("accept", Argument.NONE),
    /** Task made, no answer ever; the socket is held until the client goes. */
    ACCEPT_DROP("accept/drop", Argument.NONE),
    /** Task made, connection reset. */
    ACCEPT_RST("accept/rst", Argument.NONE),
    /** Task made, then a 500 that says nothing. */
    ACCEPT_500("accept+500", Argument.NONE),
    /** Task made, then a gateway's 503 page. */
    ACCEPT_503("accept+503", Argument.NONE),
    /** Task made, then a gateway's 504 page. */
    ACCEPT_504("accept+504", Argument.NONE),
    /** Task made, that many bytes of the answer, then FIN. */
    ACCEPT_CUT("accept/cut", Argument.BYTES),
    /** Task made that long after the request came, and answered then. */
    LATE("late", Argument.MILLIS),
    /** No task, no answer; the socket is held until the client goes. */
    HANG("hang", Argument.NONE),
    /** No task, throttled in the provider's shape. */
    THROTTLED("429", Argument.NONE),
    /** No task, refused for good in the provider's shape. */
    REFUSED("400", Argument.NONE),
    /** Task made and answered, but invisible to every read until that long after its creation. */
    STATUS_404("status404", Argument.MILLIS),
    /** Task made at once, answered that much later. */
    SLOW("slow", Argument.MILLIS),
    /** Task made and answered; it ends as failed. */
    FAIL("fail", Argument.NONE),
    /** No task, a gateway's 503 page. */
    UNAVAILABLE("503", Argument.NONE),
    /** No task, a 500 that says nothing. */
    BROKEN("500", Argument.NONE);

    private final String text;
    private final Argument argument;

    Family(String text, Argument argument) {
      this.text = text;
      this.argument = argument;
    }

    /** The name in scripts and counts, without an amount. */
    public String text() {
      return text;
    }

    /** Whether this request leaves no task behind (and reserves no key). */
    boolean makesNoTask() {
      return switch (this) {
        case HANG, THROTTLED, REFUSED, UNAVAILABLE, BROKEN -> true;
        case ACCEPT,
            ACCEPT_DROP,
            ACCEPT_RST,
            ACCEPT_500,
            ACCEPT_503,
            ACCEPT_504,
            ACCEPT_CUT,
            LATE,
            STATUS_404,
            SLOW,
            FAIL ->
            false;
      };
    }
  }

  /**
   * Reads a name as it stands in a script, such as {@code accept/cut@120} or {@code late(300)}.
   *
   * @throws IllegalArgumentException when there is no such fault
   */
  public static Fault parse(String name) {
    for (Family family : Family.values()) {
      Fault fault = parse(family, name);
      if (fault != null) {
        return fault;
      }
    }
    throw new IllegalArgumentException("no fault is called '" + name + "'");
  }

  private static @Nullable Fault parse(Family family, String name) {
    if (!name.startsWith(family.text)) {
      return null;
    }
    String rest = name.substring(family.text.length());
    return switch (family.argument) {
      case NONE -> rest.isEmpty() ? new Fault(family, 0) : null;
      case BYTES -> rest.startsWith("@") ? amount(family, rest.substring(1)) : null;
      case MILLIS ->
          rest.startsWith("(") && rest.endsWith(")")
              ? amount(family, rest.substring(1, rest.length() - 1))
              : null;
    };
  }

  private static @Nullable Fault amount(Family family, String digits) {
    boolean number = !digits.isEmpty() && digits.length() <= 7;
    for (int i = 0; i < digits.length(); i++) {
      number &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
    }
    return number ? new Fault(family, Integer.parseInt(digits)) : null;
  }

  /** The name with its amount; {@link #parse} reads it back. */
  @Override
  public String toString() {
    return switch (family.argument) {
      case NONE -> family.text;
      case BYTES -> family.text + "@" + amount;
      case MILLIS -> family.text + "(" + amount + ")";
    };
  }
}
