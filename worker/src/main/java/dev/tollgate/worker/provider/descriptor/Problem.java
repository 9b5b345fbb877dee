package dev.tollgate.worker.provider.descriptor;

import java.util.function.ToIntFunction;

/**
 * What is wrong with a descriptor.
 *
 * @param line the line it is on, from 1
 * @param path where in the document, as {@code create.answers[2].source}; empty for the whole
 * @param text what is wrong and what would be right; never holds a secret
 */
public record Problem(int line, String path, String text) implements Comparable<Problem> {
  /** A problem at a place that a JSON pointer names. */
  public static Problem at(ToIntFunction<String> lines, String pointer, String text) {
    return new Problem(lines.applyAsInt(pointer), YamlText.path(pointer), text);
  }

  @Override
  public int compareTo(Problem other) {
    int byLine = Integer.compare(line, other.line);
    return byLine != 0 ? byLine : (path + text).compareTo(other.path + other.text);
  }

  @Override
  public String toString() {
    return line + ": " + (path.isEmpty() ? "" : path + ": ") + text;
  }
}
