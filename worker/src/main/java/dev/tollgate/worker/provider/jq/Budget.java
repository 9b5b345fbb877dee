package dev.tollgate.worker.provider.jq;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What one application of an expression may still do, in units: one for each step and each value
 * that is made, and one for each {@value #CHARS} characters. It says nothing of time, so that an
 * expression fails on the same inputs everywhere. Confined to one thread.
 */
final class Budget {
  /** For the application that is under way on this thread. */
  static final ScopedValue<Budget> CURRENT = ScopedValue.newInstance();

  /** About half a second of small steps, or half a gigabyte of text. */
  private static final long UNITS = 8_000_000;

  /** Copying so many takes as long as a step. */
  private static final int CHARS = 64;

  /** Twice the longest answer that is read. */
  private static final long TEXT_MAX = 64L * 1024 * 1024;

  private long left = UNITS;

  /** The budget is used up. Not the library's exception, which an expression can catch. */
  static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("the expression takes more than it may", null, false, false);
    }
  }

  void step() {
    take(1);
  }

  /** Takes units for a value that was made, the same part of it each time that it is in there. */
  void made(JsonNode value) {
    take(weight(value, left));
  }

  void take(long units) {
    left -= units;
    if (left < 0) {
      left = 0; // whatever is tried after this fails as well
      throw new Exhausted();
    }
  }

  /** Takes units for work that grows with the product of two values. */
  void takeProduct(JsonNode one, JsonNode other) {
    long first = weight(one, left);
    take(first * (1 + weight(other, left / first)));
  }

  /** Checks the length of a text before it is made. */
  static void checkText(long length) {
    if (length > TEXT_MAX) {
      throw new Exhausted();
    }
  }

  /** The size of a value as it would be written; past {@code most} any larger number. */
  private static long weight(JsonNode value, long most) {
    Size size = new Size(most);
    size.add(value);
    return size.units;
  }

  /** One value can be in another twice and more, so this stops where it is too much. */
  private static final class Size {
    private final long most;
    private long units;
    private long text;

    Size(long most) {
      this.most = most;
    }

    void add(JsonNode value) {
      units++;
      if (value.isTextual()) {
        addText(value.textValue());
      } else {
        value.fieldNames().forEachRemaining(this::addText);
        for (JsonNode part : value) {
          if (units > most) {
            return;
          }
          add(part);
        }
      }
    }

    private void addText(String part) {
      text += part.length();
      units += part.length() / CHARS;
      checkText(text);
    }
  }
}
