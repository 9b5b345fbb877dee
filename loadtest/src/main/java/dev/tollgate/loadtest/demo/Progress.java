package dev.tollgate.loadtest.demo;

import java.util.Locale;

/**
 * What a person sees of a run that goes on.
 *
 * @param published messages that the broker has
 * @param messages messages there will be
 * @param states operations by state, in words
 * @param unknownSeen operations that were unknown at some time
 * @param persons operations that wait for a person
 * @param faults misbehaviours of the provider and strikes on workers
 * @param workersUp workers that run
 * @param seconds since the first message
 */
public record Progress(
    int published,
    int messages,
    String states,
    long unknownSeen,
    long persons,
    long faults,
    int workersUp,
    double seconds) {

  /** One line without a line end. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%4.0f s | published %d/%d | %s | unknown seen %d | for a person %d | faults %d | workers up %d",
        seconds,
        published,
        messages,
        states.isEmpty() ? "nothing stored yet" : states,
        unknownSeen,
        persons,
        faults,
        workersUp);
  }
}
