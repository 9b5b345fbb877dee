package dev.tollgate.cli.dlt;

import dev.tollgate.schema.store.DeadLetterFate;
import dev.tollgate.schema.store.DeadLetterFate.Fate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which letters a run goes through. Of the copies of one message the newest stands for all, and the
 * count of the one that was replayed most is the count of all: a message that comes back again and
 * again runs into the limit although its first letter still says zero. What was decided before is
 * left out. Not for use by several threads.
 */
public final class Plan {
  private record Chosen(Place place, int replays, long timestamp) {}

  private final Selection selection;
  private final Map<Place, DeadLetterFate> fates = new HashMap<>();
  private final long run;
  private final boolean discardedToo;
  private final Map<DeadLetter.Identity, Integer> replaysByMessage = new HashMap<>();
  private final Map<DeadLetter.Identity, Chosen> chosenByMessage = new HashMap<>();
  private final Set<Place> places = new HashSet<>();
  private final Map<Place, String> leftOut = new TreeMap<>();
  private int decided;

  private Plan(Selection selection, List<DeadLetterFate> known, long run, boolean discardedToo) {
    this.selection = selection;
    this.run = run;
    this.discardedToo = discardedToo;
    known.forEach(fate -> fates.put(new Place(fate.partition(), fate.offset()), fate));
    selection
        .places()
        .forEach(place -> leftOut.put(place, "no dead letter that was selected lies there"));
  }

  /**
   * Reads the whole topic once.
   *
   * @param known what was decided before
   * @param run the run that goes on, whose claims are its own; 0 for a new one
   * @param discardedToo whether what was discarded is meant, too
   */
  public static Plan of(
      DeadLetterTopic topic,
      Selection selection,
      List<DeadLetterFate> known,
      long run,
      boolean discardedToo) {
    Plan plan = new Plan(selection, known, run, discardedToo);
    topic.forEach(plan::add);
    return plan;
  }

  private void add(DeadLetter letter) {
    DeadLetter.Identity message = letter.identity();
    replaysByMessage.merge(message, letter.replays(), Math::max);
    if (!selection.takes(letter)) {
      return;
    }
    Place place = letter.place();
    leftOut.remove(place);
    DeadLetterFate fate = fates.get(place);
    if (fate != null && !open(fate)) {
      leaveOut(place, fate);
      return;
    }
    places.add(place);
    chosenByMessage.merge(
        message, new Chosen(place, letter.replays(), letter.record().timestamp()), Plan::newer);
  }

  private boolean open(DeadLetterFate fate) {
    return (fate.fate() == Fate.CLAIMED && fate.run() == run)
        || (fate.fate() == Fate.DISCARDED && discardedToo);
  }

  /** What was decided is no complaint, unless it was asked for by name or is not over. */
  private void leaveOut(Place place, DeadLetterFate fate) {
    if (fate.fate() == Fate.CLAIMED) {
      leftOut.put(
          place,
          "run %d has it in hand; if its process is gone: `tollgate dlt run %d` tells how to go on"
              .formatted(fate.run(), fate.run()));
    } else if (selection.places().contains(place)) {
      leftOut.put(
          place,
          "run %d %s it%s"
              .formatted(
                  fate.run(),
                  fate.fate().word(),
                  fate.fate() == Fate.DISCARDED ? "; --discarded takes it all the same" : ""));
    } else {
      decided++;
    }
  }

  private static Chosen newer(Chosen one, Chosen other) {
    if (one.replays() != other.replays()) {
      return one.replays() > other.replays() ? one : other;
    }
    return one.timestamp() > other.timestamp() ? one : other;
  }

  /** Whether the run goes through a letter. */
  public boolean takes(DeadLetter letter) {
    return places.contains(letter.place());
  }

  /** The letter that stands for this one, where it is a copy of the same message. */
  public Optional<Place> original(DeadLetter letter) {
    @Nullable Chosen chosen = chosenByMessage.get(letter.identity());
    return Optional.ofNullable(chosen)
        .map(Chosen::place)
        .filter(place -> !place.equals(letter.place()));
  }

  /** How often a letter's message was replayed so far. */
  public int replays(DeadLetter letter) {
    return Objects.requireNonNull(
        replaysByMessage.getOrDefault(letter.identity(), letter.replays()));
  }

  /** How many letters the run goes through. */
  public int size() {
    return places.size();
  }

  /** Letters that were selected and decided on before. */
  public int decided() {
    return decided;
  }

  /** Places that are not gone through and should be told of, and why, in their order. */
  public Map<Place, String> leftOut() {
    return leftOut;
  }
}
