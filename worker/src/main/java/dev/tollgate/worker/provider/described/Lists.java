package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.described.ReadAnswers.Read;
import dev.tollgate.worker.provider.described.ReadAnswers.Whole;
import dev.tollgate.worker.provider.descriptor.Descriptor.Listed;
import dev.tollgate.worker.provider.descriptor.Descriptor.Listing;
import dev.tollgate.worker.provider.descriptor.Descriptor.Search;
import dev.tollgate.worker.provider.jq.Jq;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.erdtman.jcs.JsonCanonicalizer;

/** Looks for tasks, by reference and in lists. Thread-safe; one try each. */
final class Lists {
  /** Past so many pages of one span the list counts as not shown whole. */
  private static final int PAGES_MAX = 500;

  private static final String ASKED_TOO_OFTEN = "status 429, asked too often";

  private static final int PAGE_SIZE = 100;

  /** So few of the longest inputs fit a page for sure. */
  private static final int SMALL_PAGE_SIZE = 5;

  /** A look is over before its lease is: a list too long for that is not shown whole. */
  private static final Duration WALK_MAX = Duration.ofSeconds(30);

  private final Reads reads;
  private final LongSupplier nanoTime;
  private final TaskIds ids;
  private final Map<String, JsonNode> base;

  Lists(Reads reads, TaskIds ids, Map<String, JsonNode> base, LongSupplier nanoTime) {
    this.ids = ids;
    this.nanoTime = nanoTime;
    this.reads = reads;
    this.base = Map.copyOf(base);
  }

  LookupResult find(Search search, String reference) {
    return switch (reads.read(
        search.call(), Reads.plus(base, "key", reference), search.missing())) {
      case Read.Failed failed -> new LookupResult.Unavailable(failed.reason(), failed.answered());
      case Read.Throttled _ -> new LookupResult.Unavailable(ASKED_TOO_OFTEN);
      case Read.NoSuchTask _ -> new LookupResult.Candidates(List.of(), true);
      case Read.Ok(Whole whole) -> {
        Optional<Page> page = page(search.listed(), ids, whole);
        if (page.isEmpty()) {
          yield new LookupResult.Unavailable("a list of tasks was expected");
        }
        List<Candidate> matching =
            page.get().tasks().stream()
                .filter(task -> task.reference().equals(Optional.of(reference)))
                .toList();
        // a provider that shows other tasks ignored the question, and may have stopped before ours
        yield new LookupResult.Candidates(
            matching, page.get().readable() && matching.size() == page.get().tasks().size());
      }
    };
  }

  LookupResult list(Listing listing, Instant from, Instant to) {
    long until = nanoTime.getAsLong() + WALK_MAX.toNanos();
    BooleanSupplier timeIsUp = () -> nanoTime.getAsLong() - until >= 0;
    Walk walk = new Walk(listing, from, to, PAGE_SIZE, timeIsUp);
    LookupResult result = walk.result();
    if (walk.tooLong) { // what was asked for is long: everything again, in short pages
      walk = new Walk(listing, from, to, SMALL_PAGE_SIZE, timeIsUp);
      result = walk.result();
    }
    return listing.byPosition() && walk.pages > 1 ? steady(walk, result) : result;
  }

  /**
   * Pages that are cut by position move when a task comes or goes in between, and one that moves
   * from a page to come to a page that was read is never seen. So such a list was shown whole only
   * if a second walk shows the same.
   */
  private LookupResult steady(Walk first, LookupResult result) {
    if (!(result instanceof LookupResult.Candidates(List<Candidate> seen, boolean complete))
        || !complete) {
      return result;
    }
    Walk second = new Walk(first.listing, first.from, first.to, first.limit, first.timeIsUp);
    boolean same =
        second.result() instanceof LookupResult.Candidates(var _, boolean again)
            && again
            && second.all.equals(first.all);
    Set<String> known = new HashSet<>(seen.stream().map(Candidate::remoteId).toList());
    List<Candidate> both = new ArrayList<>(seen);
    second.seen.stream().filter(task -> known.add(task.remoteId())).forEach(both::add);
    return new LookupResult.Candidates(both, same);
  }

  /** One walk through a list. Confined to one call. */
  private final class Walk {
    private final Listing listing;
    private final Instant from;
    private final Instant to;
    private final int limit;
    private final BooleanSupplier timeIsUp;
    private final List<Candidate> seen = new ArrayList<>();
    private final Set<String> cursors = new HashSet<>();

    /** Every id that was shown, within the span or not. */
    private final Set<String> all = new LinkedHashSet<>();

    private int pages;
    private boolean readable = true;
    private boolean tooLong;

    Walk(Listing listing, Instant from, Instant to, int limit, BooleanSupplier timeIsUp) {
      this.timeIsUp = timeIsUp;
      this.listing = listing;
      this.from = from;
      this.to = to;
      this.limit = limit;
    }

    LookupResult result() {
      JsonNode cursor = NullNode.getInstance();
      for (int number = 1; number <= PAGES_MAX && !timeIsUp.getAsBoolean(); number++) {
        switch (reads.read(listing.call(), span(cursor, number), Optional.empty())) {
          case Read.Failed failed -> {
            tooLong = failed.tooLong();
            return stopped(number, failed.reason());
          }
          case Read.Throttled _ -> {
            return stopped(number, ASKED_TOO_OFTEN);
          }
          case Read.NoSuchTask _ -> {
            return stopped(number, "no list of tasks");
          }
          case Read.Ok(Whole whole) -> {
            Optional<Page> page = page(listing.listed(), ids, whole);
            if (page.isEmpty()) {
              return stopped(number, "no list of tasks");
            }
            Optional<JsonNode> next = take(page.get(), whole, number);
            if (next.isEmpty()) {
              return new LookupResult.Candidates(seen, readable);
            }
            if (!cursors.add(next.get().toString())) { // the same page again would never end
              return new LookupResult.Candidates(seen, false);
            }
            cursor = next.get();
          }
        }
      }
      return new LookupResult.Candidates(seen, false);
    }

    /** Takes a page's tasks; empty if no further page is needed. */
    private Optional<JsonNode> take(Page page, Whole whole, int number) {
      Map<String, JsonNode> variables = new HashMap<>(whole.variables());
      variables.put("page", IntNode.valueOf(number));
      pages = number;
      page.tasks().stream()
          .filter(task -> all.add(task.remoteId()) && within(task)) // one may be shown twice
          .forEach(seen::add);
      readable &=
          page.readable()
              && listing.complete().map(jq -> jq.isTrue(whole.json(), variables)).orElse(true);
      boolean past = listing.newestFirst() && page.tasks().stream().anyMatch(this::tooOld);
      Optional<List<JsonNode>> next = listing.next().tried(whole.json(), variables);
      readable &= next.isPresent() && next.get().size() <= 1; // else nobody knows what follows
      boolean last = past || next.isEmpty() || next.get().size() != 1;
      if (last && !past && listing.total().isPresent()) {
        readable &=
            listing
                .total()
                .get()
                .text(whole.json(), variables)
                .equals(Optional.of(String.valueOf(all.size())));
      }
      return last ? Optional.empty() : Optional.of(next.get().getFirst());
    }

    private LookupResult stopped(int number, String reason) {
      return number == 1
          ? new LookupResult.Unavailable(reason)
          : new LookupResult.Candidates(seen, false);
    }

    /** One that carries a reference is judged by that, whatever a provider's clock says. */
    private boolean within(Candidate task) {
      return listing.filtersByTime()
          || task.reference().isPresent()
          || task.createdAt().equals(Instant.EPOCH)
          || (!task.createdAt().isBefore(from) && !task.createdAt().isAfter(to));
    }

    private boolean tooOld(Candidate task) {
      return !task.createdAt().equals(Instant.EPOCH) && task.createdAt().isBefore(from);
    }

    private Map<String, JsonNode> span(JsonNode cursor, int page) {
      Instant after = from.truncatedTo(ChronoUnit.MILLIS);
      Instant floor = to.truncatedTo(ChronoUnit.MILLIS);
      Instant before = floor.equals(to) ? to : floor.plusMillis(1);
      Map<String, JsonNode> span = new HashMap<>(base);
      span.put("from", TextNode.valueOf(after.toString()));
      span.put("to", TextNode.valueOf(before.toString()));
      span.put("from_ms", LongNode.valueOf(after.toEpochMilli()));
      span.put("to_ms", LongNode.valueOf(before.toEpochMilli()));
      span.put("cursor", cursor);
      span.put("page", IntNode.valueOf(page));
      span.put("limit", IntNode.valueOf(limit));
      return span;
    }
  }

  /**
   * One page.
   *
   * @param readable whether every entry could be read
   */
  record Page(List<Candidate> tasks, boolean readable) {}

  /** The tasks of an answer; empty if it has no list of them. */
  static Optional<Page> page(Listed listed, TaskIds ids, Whole answer) {
    Optional<JsonNode> tasks =
        listed.tasks().one(answer.json(), answer.variables()).filter(JsonNode::isArray);
    if (tasks.isEmpty()) {
      return Optional.empty();
    }
    List<Candidate> candidates = new ArrayList<>();
    for (JsonNode task : tasks.get()) {
      candidate(listed, ids, task, answer.variables()).ifPresent(candidates::add);
    }
    return Optional.of(new Page(candidates, candidates.size() == tasks.get().size()));
  }

  private static Optional<Candidate> candidate(
      Listed listed, TaskIds ids, JsonNode task, Map<String, JsonNode> variables) {
    Optional<String> id = listed.id().text(task, variables).filter(ids::usable);
    Optional<Instant> created =
        listed.created().isEmpty()
            ? Optional.of(Instant.EPOCH) // this list does not show it
            : listed.created().get().one(task, variables).flatMap(Lists::instant);
    if (id.isEmpty() || created.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Candidate(
            id.get(),
            created.get(),
            listed.input().flatMap(jq -> jq.one(task, variables)).flatMap(Lists::canonical),
            listed.reference().flatMap(jq -> jq.text(task, variables))));
  }

  /** ISO 8601, or seconds since 1970. */
  private static Optional<Instant> instant(JsonNode value) {
    try {
      if (value.isTextual()) {
        return Optional.of(OffsetDateTime.parse(value.textValue()).toInstant());
      }
      BigDecimal seconds = value.decimalValue();
      BigDecimal nanos = seconds.movePointRight(9).setScale(0, RoundingMode.DOWN);
      return value.isNumber()
          ? Optional.of(
              Instant.ofEpochSecond(
                  nanos.divideToIntegralValue(BigDecimal.valueOf(1_000_000_000)).longValueExact(),
                  nanos.remainder(BigDecimal.valueOf(1_000_000_000)).longValueExact()))
          : Optional.empty();
    } catch (DateTimeException | ArithmeticException _) {
      return Optional.empty();
    }
  }

  /** RFC 8785 form; none if a number is beyond what that form allows. */
  static Optional<Bytes> canonical(JsonNode value) {
    try {
      return Optional.of(
          Bytes.copyOf(
              new JsonCanonicalizer(new String(Requests.bytes(value), StandardCharsets.UTF_8))
                  .getEncodedUTF8()));
    } catch (IOException | RuntimeException _) {
      return Optional.empty(); // the library throws both for what it cannot express
    }
  }

  /** The one value of an expression on some parameters, in canonical form. */
  static Optional<Bytes> comparable(Jq compare, Bytes params, Map<String, JsonNode> base) {
    return PartialJson.whole(params.toByteArray())
        .flatMap(json -> compare.one(json, base))
        .flatMap(Lists::canonical);
  }
}
