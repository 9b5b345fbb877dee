package dev.tollgate.cli.dlt;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What to replay. Of the copies of one message the newest stands for all, and the count of the one
 * that was replayed most is the count of all: a message that comes back again and again runs into
 * the limit although its first letter still says zero. Not for use by several threads.
 */
public final class ReplayPlan {
  private record Chosen(Place place, int replays, long timestamp) {}

  private final Selection selection;
  private final Map<String, Integer> replaysByMessage = new HashMap<>();
  private final Map<String, Chosen> chosenByMessage = new HashMap<>();
  private final Set<Place> notFound;
  private int copies;

  private ReplayPlan(Selection selection) {
    this.selection = selection;
    this.notFound = new TreeSet<>(selection.places());
  }

  /** Reads the whole topic once. */
  public static ReplayPlan of(DeadLetterTopic topic, Selection selection) {
    ReplayPlan plan = new ReplayPlan(selection);
    topic.forEach(plan::add);
    return plan;
  }

  private void add(DeadLetter letter) {
    String message = letter.identity();
    replaysByMessage.merge(message, letter.replays(), Math::max);
    if (!selection.takes(letter)) {
      return;
    }
    notFound.remove(letter.place());
    Chosen chosen = new Chosen(letter.place(), letter.replays(), letter.record().timestamp());
    if (chosenByMessage.containsKey(message)) {
      copies++;
    }
    chosenByMessage.merge(message, chosen, ReplayPlan::newer);
  }

  private static Chosen newer(Chosen one, Chosen other) {
    if (one.replays() != other.replays()) {
      return one.replays() > other.replays() ? one : other;
    }
    return one.timestamp() > other.timestamp() ? one : other;
  }

  /** The places of what is to be replayed. */
  public Set<Place> places() {
    Set<Place> places = new HashSet<>();
    chosenByMessage.values().forEach(chosen -> places.add(chosen.place()));
    return places;
  }

  /** How often a letter's message was replayed so far. */
  public int replays(DeadLetter letter) {
    return replaysByMessage.getOrDefault(letter.identity(), letter.replays());
  }

  /** Letters that were selected and are copies of one that is to be replayed. */
  public int copies() {
    return copies;
  }

  /** Places that were asked for and hold no letter that was selected. */
  public Set<Place> notFound() {
    return notFound;
  }
}
