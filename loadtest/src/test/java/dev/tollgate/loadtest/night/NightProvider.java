package dev.tollgate.loadtest.night;

import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.DocumentedLimits;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.OutputSink;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.ProviderTiming;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.SendsTo;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A provider that is down for some hours, and writes down when it was asked. Thread-safe. */
final class NightProvider implements ProviderAdapter {
  static final Duration SUBMIT_DEADLINE = Duration.ofSeconds(30);

  private static final ProviderTiming TIMING =
      new ProviderTiming(
          SUBMIT_DEADLINE,
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(1),
          Optional.empty(),
          Optional.empty(),
          Duration.ZERO);

  private final ProviderProfile profile;
  private final Supplier<Instant> clock;
  private final Map<String, Candidate> byReference = new ConcurrentHashMap<>();
  private final NavigableMap<Instant, List<Candidate>> byTime = new ConcurrentSkipListMap<>();

  /** Calls by the second in which they came. */
  private final Map<Long, AtomicLong> asked = new ConcurrentHashMap<>();

  private volatile boolean down;

  NightProvider(String name, Recourse recourse, Supplier<Instant> clock) {
    this.profile =
        new ProviderProfile(
            name,
            List.of(recourse),
            32,
            TIMING,
            DocumentedLimits.NONE,
            new SendsTo("https://night.example", "night"));
    this.clock = clock;
  }

  /** Carries a create out; its answer is lost. */
  void accept(String reference, dev.tollgate.worker.provider.Bytes input) {
    Candidate task =
        new Candidate(
            "task-" + reference,
            clock.get(),
            Optional.of(input),
            profile.recourses().contains(Recourse.LIST_BY_TIME)
                ? Optional.empty()
                : Optional.of(reference));
    byReference.put(reference, task);
    byTime.merge(
        clock.get(),
        List.of(task),
        (some, more) -> java.util.stream.Stream.concat(some.stream(), more.stream()).toList());
  }

  void goDown() {
    down = true;
  }

  void comeBack() {
    down = false;
  }

  /** Calls of each second since a time, by its number. */
  NavigableMap<Long, Long> askedSince(Instant time) {
    NavigableMap<Long, Long> calls = new TreeMap<>();
    asked.forEach(
        (second, count) -> {
          if (second >= time.getEpochSecond()) {
            calls.put(second, count.get());
          }
        });
    return calls;
  }

  long asked() {
    return asked.values().stream().mapToLong(AtomicLong::get).sum();
  }

  private boolean refused() {
    asked.computeIfAbsent(clock.get().getEpochSecond(), _ -> new AtomicLong()).incrementAndGet();
    return down;
  }

  @Override
  public LookupResult findByReference(String reference) {
    return refused()
        ? new LookupResult.Unavailable("connection refused")
        : new LookupResult.Candidates(
            Optional.ofNullable(byReference.get(reference)).stream().toList(), true);
  }

  @Override
  public LookupResult list(Instant from, Instant to) {
    return refused()
        ? new LookupResult.Unavailable("connection refused")
        : new LookupResult.Candidates(
            byTime.subMap(from, true, to, true).values().stream().flatMap(List::stream).toList(),
            true);
  }

  @Override
  public ProviderProfile profile() {
    return profile;
  }

  @Override
  public SubmitResult submit(Submission submission) {
    throw new UnsupportedOperationException("nothing is sent in this night");
  }

  @Override
  public StatusResult status(String remoteId) {
    throw new UnsupportedOperationException("no task is known in this night");
  }

  @Override
  public DownloadResult download(OutputRef output, OutputSink sink, long maxBytes) {
    throw new UnsupportedOperationException("no task ends in this night");
  }

  @Override
  public void close() {
    // it holds nothing
  }
}
