package dev.tollgate.cli.dlt;

import java.util.Set;

/**
 * Which letters are meant: those with one of the codes, if any is named, and at one of the places,
 * if any is named. Immutable.
 */
public record Selection(Set<String> codes, Set<Place> places) {
  public Selection {
    codes = Set.copyOf(codes);
    places = Set.copyOf(places);
  }

  public boolean takes(DeadLetter letter) {
    return (codes.isEmpty() || codes.contains(letter.code()))
        && (places.isEmpty() || places.contains(letter.place()));
  }
}
