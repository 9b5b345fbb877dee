package dev.tollgate.reconciler.ladder;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Look;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.send.Sender;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Climbs the steps for one operation. Blocks on the network and the database; thread-safe. */
public final class Ladder {
  /**
   * A list that was not shown whole so often, or a question that the provider so often answered in
   * a way that no document explains, is not going to be different after the horizon: a person
   * decides.
   */
  private static final int LOOKS_THAT_SHOW_NOTHING = 20;

  /** Some hours of looks at a task that an answer named and the provider says nothing about. */
  private static final int LOOKS_AT_AN_ANSWER = 100;

  /** A reference as Tollgate makes them. */
  private static final Predicate<String> OUR_FORM =
      Pattern.compile("tg-[0-9a-f]{32}").asMatchPredicate();

  private final OperationStore store;
  private final Duration clockSkew;

  /**
   * Steps that read evidence from a store.
   *
   * @param clockSkew how far a provider's clock may be off when its list is searched by time
   */
  public Ladder(OperationStore store, Duration clockSkew) {
    this.store = store;
    this.clockSkew = clockSkew;
  }

  /** Asks a provider for the tasks that it created in a time. */
  @FunctionalInterface
  public interface Lister {
    LookupResult list(Instant from, Instant to);
  }

  /** The time in which a task of an operation was created, if it was, by the provider's clock. */
  public record Window(Instant from, Instant to) {}

  /** Where in a provider's list a look is for. */
  public Window window(Look look) {
    // no task of ours appears after the horizon: the window does not grow with the looks
    Instant to = (look.pastHorizon() ? look.absentAfter() : look.now()).plus(clockSkew);
    return new Window(look.firstBegan().minus(clockSkew), to);
  }

  /** Looks at one operation, which the caller has claimed. */
  public Finding climb(Look look, ProviderAdapter adapter) {
    return climb(look, adapter, adapter::list);
  }

  /**
   * The same.
   *
   * @param lister asks for lists in the adapter's place; not before this look was claimed
   */
  public Finding climb(Look look, ProviderAdapter adapter, Lister lister) {
    Optional<String> kept = adapter.keptTask(Sender.submissionKey(look.submissionKey()));
    if (kept.isPresent()) {
      return new Finding.Found(kept.get(), "its answer, which is the result, is on disk");
    }
    if (look.sentTo().isEmpty()
        || look.sentTo().getAsLong() != adapter.profile().sendsTo().digest()) {
      return elsewhere(look, adapter);
    }
    Set<String> seen = store.remoteIdsSeen(List.of(look.key())).getOrDefault(look.key(), Set.of());
    Own own = ownEvidence(look, adapter, seen);
    if (own.finding instanceof Finding.Found || own.finding instanceof Finding.Ambiguous) {
      return own.finding;
    }
    Finding asked = ask(look, adapter, lister);
    boolean decidesNothing = asked instanceof Finding.Absent || asked instanceof Finding.NoWay;
    return seen.isEmpty() || !decidesNothing ? asked : named(look, own, asked);
  }

  /**
   * Whoever is configured now was not given the creates: whatever it says, also of a task with the
   * same id, is about others. So it is not asked.
   */
  private static Finding elsewhere(Look look, ProviderAdapter adapter) {
    String note =
        "it was sent when the provider was configured otherwise than now (%s): with another address,"
                .formatted(adapter.profile().sendsTo())
            + " setting, account or descriptor. Configure that again, or look it up there and decide";
    return look.pastHorizon() ? new Finding.Misplaced(note) : new Finding.Undecided(note);
  }

  /**
   * Goes through what the provider offers, in its order, until something is decided. What decided
   * nothing is noted; as long as one of the ways may still lead somewhere, nobody gives up. What is
   * offered by now says nothing of a create that did not carry what it takes.
   */
  private Finding ask(Look look, ProviderAdapter adapter, Lister lister) {
    List<Recourse> offered = adapter.profile().recourses();
    if (offered.isEmpty()) {
      return new Finding.NoWay("the provider offers neither a look-up nor an idempotency promise");
    }
    List<Recourse> recourses =
        offered.stream().filter(recourse -> recourse.servedBy(look.carried())).toList();
    StringBuilder notes = new StringBuilder();
    if (recourses.size() < offered.size()) {
      List<String> late =
          offered.stream().filter(r -> !recourses.contains(r)).map(Recourse::word).toList();
      notes.append("sent before ").append(late).append(" was in use, so not found by it");
    }
    boolean open = false;
    Finding last = new Finding.Undecided("");
    for (Recourse recourse : recourses) {
      last = step(recourse, look, adapter, lister);
      boolean decided = !(last instanceof Finding.Undecided || last instanceof Finding.NoWay);
      if (decided && !(last instanceof Finding.Ambiguous && callbackMayCome(look, adapter))) {
        return last;
      }
      open |= decided || last instanceof Finding.Undecided;
      notes.append(notes.isEmpty() ? "" : "; ").append(last.note());
    }
    return open ? new Finding.Undecided(notes.toString()) : new Finding.NoWay(notes.toString());
  }

  private Finding step(Recourse recourse, Look look, ProviderAdapter adapter, Lister lister) {
    return switch (recourse) {
      case IDEMPOTENT_CREATE -> promise(look, adapter);
      case LOOKUP_BY_REFERENCE -> byReference(look, adapter);
      case ECHOED_REFERENCE -> byList(look, adapter, lister, true);
      case LIST_BY_TIME -> byList(look, adapter, lister, false);
      case CALLBACK_PER_REQUEST -> callback(look, adapter);
      case NONE -> new Finding.NoWay("nobody can be asked");
    };
  }

  /** A callback that comes is evidence, and found as such: here it is only waited for. */
  private static Finding callback(Look look, ProviderAdapter adapter) {
    Instant until = look.absentAfter().plus(adapter.profile().timing().callbackWait());
    return callbackMayCome(look, adapter)
        ? new Finding.Undecided("the callback is waited for until " + until)
        : new Finding.NoWay("no callback that names its task was taken until " + until);
  }

  private static boolean callbackMayCome(Look look, ProviderAdapter adapter) {
    return adapter.profile().recourses().contains(Recourse.CALLBACK_PER_REQUEST)
        && Recourse.CALLBACK_PER_REQUEST.servedBy(look.carried())
        && look.now().isBefore(look.absentAfter().plus(adapter.profile().timing().callbackWait()));
  }

  /**
   * An answer named a task that the provider does not show. That is no proof of absence, nor a
   * reason to send; it may show later. What is not shown after the horizon is for a person, unless
   * the provider could not be asked.
   */
  private static Finding named(Look look, Own own, Finding asked) {
    // after many looks somebody should know of it, whether the provider could be asked or not
    boolean enough = !own.unasked || look.looks() >= LOOKS_AT_AN_ANSWER;
    return look.pastHorizon() && enough
        ? new Finding.Ambiguous(own.finding.note() + "; " + asked.note())
        : own.finding;
  }

  /**
   * What own evidence comes to.
   *
   * @param unasked whether the provider had no answer about a task that evidence names
   */
  private record Own(Finding finding, boolean unasked) {}

  private Own ownEvidence(Look look, ProviderAdapter adapter, Set<String> seen) {
    Map<String, OperationKey> owners = store.owners(look.provider(), seen);
    Set<String> confirmed = new HashSet<>();
    StringBuilder asked = new StringBuilder("own evidence: ");
    boolean unasked = false;
    for (String remoteId : seen) {
      OperationKey owner = owners.get(remoteId);
      if (owner != null && !owner.equals(look.key())) {
        asked.append(remoteId).append(" belongs to ").append(owner).append("; ");
        continue;
      }
      switch (adapter.status(remoteId)) {
        case StatusResult.Status _, StatusResult.UnknownWord _ -> confirmed.add(remoteId);
        case StatusResult.NotFound _ ->
            asked.append(remoteId).append(" is not known to the provider; ");
        case StatusResult.Throttled _ -> {
          asked.append(remoteId).append(" could not be asked about: too often; ");
          unasked = true;
        }
        case StatusResult.Unavailable(String reason) -> {
          asked.append(remoteId).append(" could not be asked about: ").append(reason).append("; ");
          unasked = true;
        }
      }
    }
    Finding finding =
        switch (confirmed.size()) {
          case 0 -> new Finding.Undecided(asked.toString());
          case 1 ->
              new Finding.Found(
                  confirmed.iterator().next(), "an answer named it and the provider confirms it");
          default -> new Finding.Ambiguous("answers named several tasks that exist: " + confirmed);
        };
    return new Own(finding, unasked);
  }

  /**
   * Rule 6: the promise must cover the moment of the send, which comes up to a lease and a queue
   * after this one, and the longest that any earlier attempt may take to arrive.
   */
  private Finding promise(Look look, ProviderAdapter adapter) {
    Duration retention = adapter.profile().timing().promiseRetention().orElse(Duration.ZERO);
    Duration margin =
        adapter.profile().timing().submitDeadline().plus(adapter.profile().timing().horizonAfter());
    Instant lastSend = look.firstBegan().plus(retention).minus(margin);
    return look.now().isBefore(lastSend)
        ? new Finding.Resend(
            "the idempotency promise holds until " + look.firstBegan().plus(retention))
        : new Finding.NoWay(
            "the idempotency promise no longer covers a send; it held until " + lastSend);
  }

  private Finding byReference(Look look, ProviderAdapter adapter) {
    String reference = Sender.submissionKey(look.submissionKey());
    return switch (adapter.findByReference(reference)) {
      case LookupResult.Unavailable(String reason, boolean answered) ->
          answered && look.pastHorizon() && look.looks() >= LOOKS_THAT_SHOW_NOTHING
              ? new Finding.NoWay("look-up by reference, again and again: " + reason)
              : new Finding.Undecided("look-up by reference: " + reason);
      case LookupResult.NotSupported _ ->
          new Finding.NoWay("the provider's adapter has no look-up by reference");
      case LookupResult.Candidates(List<Candidate> tasks, boolean complete) ->
          carrying(look, tasks, complete && stillListed(look, adapter), "look-up by reference");
    };
  }

  /**
   * Judges tasks that carry this operation's own reference. Nobody else has it, so each of them is
   * this operation's; the oldest is taken, and more than one is more than one payment.
   */
  private static Finding carrying(
      Look look, List<Candidate> tasks, boolean complete, String asked) {
    List<Candidate> oldest =
        tasks.stream()
            .sorted(Comparator.comparing(Candidate::createdAt).thenComparing(Candidate::remoteId))
            .toList();
    return switch (tasks.size()) {
      case 0 -> nothing(look, complete, asked);
      case 1 -> new Finding.Found(tasks.getFirst().remoteId(), asked);
      default ->
          new Finding.Found(
              oldest.getFirst().remoteId(),
              asked + ": the oldest of several that carry it: " + ids(oldest),
              oldest.stream().skip(1).map(Candidate::remoteId).toList());
    };
  }

  private Finding byList(Look look, ProviderAdapter adapter, Lister lister, boolean echoed) {
    Window window = window(look);
    return switch (lister.list(window.from(), window.to())) {
      case LookupResult.Unavailable(String reason, boolean _) ->
          new Finding.Undecided("list: " + reason);
      case LookupResult.NotSupported _ -> new Finding.NoWay("the provider's adapter has no list");
      case LookupResult.Candidates(List<Candidate> tasks, boolean shown) -> {
        String asked =
            "list of " + tasks.size() + " tasks from " + window.from() + " to " + window.to();
        boolean complete = shown && stillListed(look, adapter);
        String reference = Sender.submissionKey(look.submissionKey());
        List<Candidate> ours =
            tasks.stream().filter(task -> task.reference().equals(Optional.of(reference))).toList();
        yield echoed || !ours.isEmpty()
            ? carrying(look, ours, complete && allReferencesAreWhole(look, tasks), asked)
            : judge(look, adapter, tasks, complete, asked);
      }
    };
  }

  /**
   * Whether each task that is not on record shows a reference as we make them. One that was cut,
   * changed or left out on the way could be ours.
   */
  private boolean allReferencesAreWhole(Look look, List<Candidate> tasks) {
    List<String> odd =
        tasks.stream()
            .filter(task -> task.reference().filter(OUR_FORM).isEmpty())
            .map(Candidate::remoteId)
            .toList();
    return odd.isEmpty() || store.owners(look.provider(), odd).keySet().containsAll(odd);
  }

  /** Whether a task of the first attempt would still be in the list. */
  private boolean stillListed(Look look, ProviderAdapter adapter) {
    Optional<Duration> listedFor = adapter.profile().timing().listedFor();
    return listedFor.isEmpty()
        || look.now().plus(clockSkew).isBefore(look.firstBegan().plus(listedFor.get()));
  }

  private Finding judge(
      Look look, ProviderAdapter adapter, List<Candidate> tasks, boolean complete, String asked) {
    Optional<Bytes> wanted = adapter.comparable(Bytes.copyOf(look.params()));
    Set<String> taken = taken(look, tasks);
    ListMatch match = ListMatch.of(tasks, wanted, taken);
    List<Finding.Shown> shown = ListMatch.sideBySide(tasks, wanted, taken);
    if (match.fitting().size() > 1) {
      return new Finding.Ambiguous(asked + ": several fit: " + ids(match.fitting()), shown);
    }
    if (match.fitting().isEmpty()) {
      return match.unjudged().isEmpty()
          ? nothing(look, complete, asked)
          : unjudged(look, match.unjudged(), asked, shown);
    }
    Candidate only = match.fitting().getFirst();
    List<OperationKey> rivals = store.rivals(look.key(), look.provider());
    if (rivals.isEmpty()) {
      return new Finding.Found(only.remoteId(), asked + ": one fits in every attribute");
    }
    String note = asked + ": " + only.remoteId() + " fits, but " + rivals + " asked for the same";
    return look.pastHorizon() ? new Finding.Ambiguous(note, shown) : new Finding.Undecided(note);
  }

  private static Finding unjudged(
      Look look, List<Candidate> tasks, String asked, List<Finding.Shown> shown) {
    String note = asked + ": some fit by their time alone: " + ids(tasks);
    return look.pastHorizon() ? new Finding.Ambiguous(note, shown) : new Finding.Undecided(note);
  }

  /**
   * Rule 7: before the horizon, and where something may not have been shown, "none" proves nothing.
   */
  private static Finding nothing(Look look, boolean complete, String asked) {
    if (!complete) {
      String note = asked + ": none seen, but not all was shown";
      return look.pastHorizon() && look.looks() >= LOOKS_THAT_SHOW_NOTHING
          ? new Finding.NoWay(note)
          : new Finding.Undecided(note);
    }
    return look.pastHorizon()
        ? new Finding.Absent(asked + ": none, after the horizon " + look.absentAfter())
        : new Finding.Undecided(asked + ": none yet, horizon " + look.absentAfter());
  }

  private Set<String> taken(Look look, List<Candidate> tasks) {
    Set<String> taken = new HashSet<>();
    store
        .owners(look.provider(), tasks.stream().map(Candidate::remoteId).toList())
        .forEach(
            (remoteId, owner) -> {
              if (!owner.equals(look.key())) {
                taken.add(remoteId);
              }
            });
    return taken;
  }

  private static List<String> ids(List<Candidate> tasks) {
    return tasks.stream().map(Candidate::remoteId).limit(10).toList();
  }
}
