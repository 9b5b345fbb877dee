package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.Collector;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.http.HttpCall;
import dev.tollgate.worker.provider.http.HttpEngine;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** The calls of the task API that only read. Thread-safe; one try each. */
final class TaskApiLookups {
  /** A page of tasks with their inputs. One task's input is at most a mebibyte. */
  private static final int PAGE_BYTES_MAX = 8 * 1024 * 1024;

  private static final int PAGE_SIZE = 100;

  /** So few of the longest inputs fit a page for sure. */
  private static final int SMALL_PAGE_SIZE = 5;

  /** Fifty thousand tasks in one span; past that the list counts as not shown whole. */
  private static final int PAGES_MAX = 500;

  private final HttpEngine engine;
  private final String path;
  private final Map<String, String> headers;
  private final List<Recourse> recourses;
  private final Redactor redactor;
  private final LongSupplier nanoTime;
  private final Duration patience;

  TaskApiLookups(
      HttpEngine engine,
      String path,
      Map<String, String> headers,
      List<Recourse> recourses,
      Redactor redactor,
      LongSupplier nanoTime,
      Duration patience) {
    this.engine = engine;
    this.path = path;
    this.headers = headers;
    this.recourses = recourses;
    this.redactor = redactor;
    this.nanoTime = nanoTime;
    this.patience = patience;
  }

  StatusResult status(String remoteId) {
    if (!AnswerReading.usableId(remoteId) || remoteId.equals(".") || remoteId.equals("..")) {
      return new StatusResult.Unavailable("the id cannot stand in an address");
    }
    HttpAnswer answer = get(path + "/tasks/" + encoded(remoteId), RawAnswer.BODY_LIMIT);
    int status = answer.status().orElse(0);
    if (status == 429) {
      return new StatusResult.Throttled(RetryAfter.of(answer));
    }
    if (!ended(answer) || (status != 200 && status != 404)) {
      return new StatusResult.Unavailable(unavailable(answer));
    }
    if (status == 200) {
      return TaskApiJson.status(answer.body(), remoteId, redactor);
    }
    // a 404 of a gateway knows nothing about tasks
    boolean own = AnswerBody.read(answer.body()).errorCode().equals(Optional.of("task_not_found"));
    return own
        ? new StatusResult.NotFound()
        : new StatusResult.Unavailable("404, but not the provider's");
  }

  LookupResult findByReference(String reference) {
    if (!recourses.contains(Recourse.LOOKUP_BY_REFERENCE)) {
      return new LookupResult.NotSupported();
    }
    HttpAnswer answer = get(path + "/tasks?client_reference=" + encoded(reference), PAGE_BYTES_MAX);
    Optional<TaskApiJson.Page> page = page(answer);
    if (page.isEmpty()) {
      return new LookupResult.Unavailable(unavailable(answer));
    }
    List<Candidate> matching =
        page.get().candidates().stream()
            .filter(candidate -> candidate.reference().equals(Optional.of(reference)))
            .toList();
    // a provider that shows other tasks ignored the filter, and may have stopped before ours
    boolean complete =
        page.get().readable()
            && page.get().next().isEmpty()
            && matching.size() == page.get().candidates().size();
    return new LookupResult.Candidates(matching, complete);
  }

  LookupResult list(Instant from, Instant to) {
    if (!recourses.contains(Recourse.LIST_BY_TIME)) {
      return new LookupResult.NotSupported();
    }
    Instant after = from.truncatedTo(ChronoUnit.MILLIS);
    Instant floor = to.truncatedTo(ChronoUnit.MILLIS);
    Instant before = floor.equals(to) ? to : floor.plusMillis(1);
    String query =
        "/tasks?created_after="
            + encoded(after.toString())
            + "&created_before="
            + encoded(before.toString());
    int size = PAGE_SIZE;
    List<Candidate> seen = new ArrayList<>();
    Set<String> cursors = new HashSet<>();
    String cursor = "";
    boolean readable = true;
    for (int pages = 0; pages < PAGES_MAX; pages++) {
      HttpAnswer answer = get(path + query + "&limit=" + size + cursor, PAGE_BYTES_MAX);
      if (answer.end() == BodyEnd.OVER_LIMIT && size > SMALL_PAGE_SIZE) {
        size = SMALL_PAGE_SIZE; // long inputs: the same page again, shorter
        continue;
      }
      Optional<TaskApiJson.Page> page = page(answer);
      if (page.isEmpty()) {
        return seen.isEmpty()
            ? new LookupResult.Unavailable(unavailable(answer))
            : new LookupResult.Candidates(seen, false);
      }
      seen.addAll(page.get().candidates());
      readable &= page.get().readable();
      Optional<String> next = page.get().next();
      if (next.isEmpty() || !cursors.add(next.get())) { // the same cursor again would never end
        return new LookupResult.Candidates(seen, readable && next.isEmpty());
      }
      cursor = "&cursor=" + encoded(next.get());
    }
    return new LookupResult.Candidates(seen, false);
  }

  private HttpAnswer get(String target, int bytesMax) {
    long answerBy = nanoTime.getAsLong() + patience.toNanos();
    return engine.send(HttpCall.get(target, headers, answerBy), new Collector(bytesMax));
  }

  private static Optional<TaskApiJson.Page> page(HttpAnswer answer) {
    boolean whole = ended(answer) && answer.status().orElse(0) == 200;
    return whole ? TaskApiJson.page(answer.body()) : Optional.empty();
  }

  /** Not known to be cut: a body without framing shows by its JSON whether it is whole. */
  private static boolean ended(HttpAnswer answer) {
    return answer.end() == BodyEnd.WHOLE || answer.end() == BodyEnd.UNTIL_CLOSE;
  }

  private String unavailable(HttpAnswer answer) {
    if (answer.status().isEmpty()) {
      return redactor.redact("no answer: " + answer.error());
    }
    return switch (answer.end()) {
      case WHOLE, UNTIL_CLOSE ->
          "status " + answer.status().getAsInt() + ", not what was asked for";
      case OVER_LIMIT -> "the answer is longer than is read";
      case CUT, NO_HEAD -> redactor.redact("the answer was cut " + answer.error());
    };
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
