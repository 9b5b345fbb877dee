package dev.tollgate.cli.dlt;

import dev.tollgate.cli.dlt.Verdict.Barred;
import dev.tollgate.cli.dlt.Verdict.RefusedAgain;
import dev.tollgate.cli.dlt.Verdict.Sendable;
import dev.tollgate.cli.dlt.Verdict.Settled;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.event.Decoded;
import dev.tollgate.schema.event.DecodedReconcile;
import dev.tollgate.schema.event.GenerationRequest;
import dev.tollgate.schema.event.ReconcileDecoder;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestDecoder;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.RequestHash;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Standing;
import dev.tollgate.worker.intake.Acceptance;
import dev.tollgate.worker.intake.EarlierGenerations;
import dev.tollgate.worker.intake.OldRequests;
import dev.tollgate.worker.retention.Horizon;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Foretells what a worker or a reconciler would do with letters now: reads them as they would, and
 * asks the database what it knows of their operations. It decides nothing; the key does that when a
 * letter is sent. Not for use by several threads: of letters for one operation, the first counts.
 */
public final class Judge {
  private final boolean requests;
  private final Database database;
  private final Acceptance acceptance;
  private final Prices prices;
  private final Function<String, Optional<Horizon>> horizons;
  private final Predicate<DeadLetter> spent;
  private final InstantSource clock;
  private final Map<OperationKey, First> firsts = new HashMap<>();

  /** What is stored about operations. */
  @FunctionalInterface
  public interface Database {
    Map<OperationKey, Standing> of(Collection<OperationKey> keys);
  }

  /** The configured price of an operation of a provider, and the currency. */
  public interface Prices {
    Optional<Money> of(String provider);

    String currency();
  }

  /** The letter that would be taken in for an operation. */
  private record First(Place place, RequestHash hash) {}

  /**
   * @param requests whether the letters are requests; else reconcile events
   * @param acceptance what a worker takes in
   * @param horizons from when on a request for a provider is too old; empty where it is not known
   * @param spent letters that are not sent whatever comes of them, and so stand for no other
   */
  public Judge(
      boolean requests,
      Database database,
      Acceptance acceptance,
      Prices prices,
      Function<String, Optional<Horizon>> horizons,
      Predicate<DeadLetter> spent,
      InstantSource clock) {
    this.requests = requests;
    this.database = database;
    this.acceptance = acceptance;
    this.prices = prices;
    this.horizons = horizons;
    this.spent = spent;
    this.clock = clock;
  }

  /** What would come of each of these, in their order. One question to the database. */
  public List<Verdict> of(List<DeadLetter> letters) {
    List<Verdict> verdicts = new ArrayList<>(letters.size());
    if (requests) {
      List<Decoded> decoded = letters.stream().map(Judge::request).toList();
      Map<OperationKey, Standing> standings = database.of(keys(decoded));
      for (int i = 0; i < letters.size(); i++) {
        verdicts.add(verdict(letters.get(i), decoded.get(i), standings));
      }
    } else {
      List<DecodedReconcile> decoded = letters.stream().map(Judge::reconcile).toList();
      Map<OperationKey, Standing> standings = database.of(reconcileKeys(decoded));
      for (int i = 0; i < letters.size(); i++) {
        verdicts.add(verdict(letters.get(i), decoded.get(i), standings));
      }
    }
    return verdicts;
  }

  private static Decoded request(DeadLetter letter) {
    return RequestDecoder.decode(
        letter.record().key(), letter.record().value(), letter.producerHeaders());
  }

  private static DecodedReconcile reconcile(DeadLetter letter) {
    return ReconcileDecoder.decode(
        letter.record().key(), letter.record().value(), letter.producerHeaders());
  }

  private static Set<OperationKey> keys(List<Decoded> decoded) {
    Set<OperationKey> keys = new HashSet<>();
    for (Decoded one : decoded) {
      if (one instanceof Decoded.Request(GenerationRequest request)) {
        keys.add(request.key());
        Retry retry = request.retry();
        if (retry != null) {
          keys.add(retry.of());
        }
      }
    }
    return keys;
  }

  private static Set<OperationKey> reconcileKeys(List<DecodedReconcile> decoded) {
    Set<OperationKey> keys = new HashSet<>();
    for (DecodedReconcile one : decoded) {
      if (one instanceof DecodedReconcile.Reconcile reconcile) {
        keys.add(reconcile.event().key());
      }
    }
    return keys;
  }

  private static @Nullable Verdict barred(DeadLetter letter) {
    return letter.shortened()
        ? new Barred(
            "only the beginning of its value was kept, so it cannot be sent again; ask its producer")
        : null;
  }

  private Verdict verdict(
      DeadLetter letter, Decoded decoded, Map<OperationKey, Standing> standings) {
    Verdict barred = barred(letter);
    if (barred != null) {
      return barred;
    }
    return switch (decoded) {
      case Refused refused -> again(refused);
      case Decoded.Request(GenerationRequest request) -> {
        Standing standing = standings.get(request.key());
        yield standing == null
            ? ofNew(letter, request, standings)
            : ofKnown(request.requestHash(), standing);
      }
    };
  }

  private Verdict ofNew(
      DeadLetter letter, GenerationRequest request, Map<OperationKey, Standing> standings) {
    Optional<Refused> refused =
        acceptance
            .refusal(request)
            .or(() -> tooOld(letter, request.provider()))
            .or(() -> earlier(request, standings));
    if (refused.isPresent()) {
      return again(refused.get());
    }
    Instant deadline = request.deadline();
    if (deadline != null && !deadline.isAfter(clock.instant())) {
      return new RefusedAgain(
          Code.DEADLINE_EXPIRED, "nothing may be sent for it after " + deadline);
    }
    if (spent.test(letter)) {
      return sendable(letter, request.provider());
    }
    First first =
        firsts.putIfAbsent(request.key(), new First(letter.place(), request.requestHash()));
    if (first == null || first.place().equals(letter.place())) {
      return sendable(letter, request.provider());
    }
    return first.hash().equals(request.requestHash())
        ? new Settled("the same request lies at %s, which is sent".formatted(first.place()))
        : new RefusedAgain(
            Code.KEY_PARAMETERS_MISMATCH,
            "the letter at %s is for the same operation, with other parameters"
                .formatted(first.place()));
  }

  private Optional<Refused> tooOld(DeadLetter letter, String provider) {
    return horizons
        .apply(provider)
        .flatMap(
            horizon ->
                letter
                    .firstSentAt()
                    .flatMap(at -> OldRequests.refusal(at, horizon, clock.instant())));
  }

  private static Optional<Refused> earlier(
      GenerationRequest request, Map<OperationKey, Standing> standings) {
    Retry retry = request.retry();
    if (retry == null) {
      return Optional.empty();
    }
    Standing before = standings.get(retry.of());
    return Optional.ofNullable(
        EarlierGenerations.refusal(request, retry.of(), before == null ? null : before.intent()));
  }

  private Verdict sendable(DeadLetter letter, String provider) {
    String now =
        letter.code().equals(Code.UNKNOWN_PROVIDER.name())
            ? "provider %s is configured now; ".formatted(provider)
            : "";
    Optional<Money> price = prices.of(provider);
    return new Sendable(
        now
            + price
                .map(money -> "it costs %s %s".formatted(money, prices.currency()))
                .orElse("its price is not known"),
        price.map(Money::micros).orElse(null));
  }

  private static Verdict ofKnown(RequestHash hash, Standing standing) {
    return Arrays.equals(hash.bytes(), standing.intent().requestHash())
        ? new Settled(outcome(standing))
        : new RefusedAgain(
            Code.KEY_PARAMETERS_MISMATCH,
            "operation %s is stored with other parameters, and is %s"
                .formatted(standing.intent().key(), standing.intent().state().word()));
  }

  /** What is on record about an operation, in words. */
  public static String outcome(Standing standing) {
    OperationState state = standing.intent().state();
    if (standing.output() != null) {
      return "already complete: " + standing.output();
    }
    String word = state.terminal() ? "already " + state.word() : "under way: " + state.word();
    return word
        + (standing.reason() == null ? "" : ", " + standing.reason())
        + (standing.review() == null ? "" : "; a person has to decide, " + standing.review());
  }

  private static Verdict verdict(
      DeadLetter letter, DecodedReconcile decoded, Map<OperationKey, Standing> standings) {
    Verdict barred = barred(letter);
    if (barred != null) {
      return barred;
    }
    return switch (decoded) {
      case Refused refused -> again(refused);
      case DecodedReconcile.Reconcile reconcile -> {
        Standing standing = standings.get(reconcile.event().key());
        if (standing == null) {
          yield new Settled("nobody would look: no operation has its key");
        }
        yield standing.intent().state() == OperationState.UNKNOWN
            ? new Sendable("its operation is unknown, and is looked at; it costs nothing", 0L)
            : new Settled(outcome(standing));
      }
    };
  }

  private static Verdict again(Refused refused) {
    return new RefusedAgain(refused.code(), refused.message());
  }
}
