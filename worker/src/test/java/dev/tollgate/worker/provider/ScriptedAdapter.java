package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.stream.Streams;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A provider without a network: a test says what it answers and reads what it was asked.
 * Thread-safe; the answers are to be set before it is asked.
 */
public final class ScriptedAdapter implements ProviderAdapter {
  public static final Duration SUBMIT_DEADLINE = Duration.ofSeconds(10);
  public static final Duration HORIZON = Duration.ofSeconds(35);

  public static final Duration CALLBACK_WAIT = Duration.ofMinutes(30);

  public static final SendsTo SENDS_TO = new SendsTo("here", "scripted");

  private final ProviderProfile profile;
  private final List<Submission> submissions = new CopyOnWriteArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Map<String, StatusResult> statuses = new ConcurrentHashMap<>();
  private volatile Function<Submission, Verdict> verdicts =
      submission -> new Verdict.Accepted("task-of-" + submission.submissionKey(), "");
  private volatile int batch = 1;
  private volatile Optional<Streams> streams = Optional.empty();
  private volatile Optional<String> kept = Optional.empty();
  private volatile Download download =
      (_, _) -> {
        throw new UnsupportedOperationException("this test did not expect a download");
      };
  private volatile List<LookupResult> lookups = List.of(new LookupResult.NotSupported());
  private final AtomicInteger looked = new AtomicInteger();

  private ScriptedAdapter(ProviderProfile profile) {
    this.profile = profile;
  }

  public static ScriptedAdapter of(String name, Recourse recourse, int concurrency) {
    return of(name, List.of(recourse), concurrency);
  }

  public static ScriptedAdapter of(String name, List<Recourse> recourses, int concurrency) {
    return new ScriptedAdapter(
        new ProviderProfile(
            name,
            recourses,
            concurrency,
            new ProviderTiming(
                SUBMIT_DEADLINE,
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Optional.of(Duration.ofHours(1)),
                Optional.of(Duration.ofDays(7)),
                CALLBACK_WAIT),
            DocumentedLimits.NONE,
            SENDS_TO));
  }

  /** Answers submits. */
  public ScriptedAdapter submits(Function<Submission, Verdict> answer) {
    verdicts = answer;
    return this;
  }

  /** Answers status calls about one task; others are not found. */
  public ScriptedAdapter status(String remoteId, StatusResult answer) {
    statuses.put(remoteId, answer);
    return this;
  }

  /** A task that exists and is under way. */
  public ScriptedAdapter exists(String remoteId) {
    return status(
        remoteId,
        new StatusResult.Status(TaskState.PROCESSING, Optional.empty(), Optional.empty()));
  }

  /** Answers look-ups and lists, in this order; the last answers all further ones. */
  public ScriptedAdapter finds(LookupResult... answers) {
    lookups = List.of(answers);
    looked.set(0);
    return this;
  }

  private LookupResult found() {
    List<LookupResult> all = lookups;
    return all.get(Math.min(looked.getAndIncrement(), all.size() - 1));
  }

  /** Asks about so many tasks in one call. */
  public ScriptedAdapter batches(int most) {
    batch = most;
    return this;
  }

  @Override
  public int statusBatch() {
    return batch;
  }

  @Override
  public Map<String, StatusResult> statuses(List<String> remoteIds) {
    if (batch > 1) {
      asked.add("statuses " + remoteIds.size());
    }
    return remoteIds.stream()
        .collect(
            Collectors.toMap(
                id -> id, id -> statuses.getOrDefault(id, new StatusResult.NotFound())));
  }

  /** Has the result of the create that carried this reference. */
  public ScriptedAdapter keeps(String reference) {
    kept = Optional.of(reference);
    return this;
  }

  @Override
  public Optional<String> keptTask(String reference) {
    return kept.filter(reference::equals);
  }

  /** What was submitted. */
  public List<Submission> submissions() {
    return List.copyOf(submissions);
  }

  /** Look-ups and status calls, as words. */
  public List<String> asked() {
    return List.copyOf(asked);
  }

  /** Its answers are streams from now on. */
  public ScriptedAdapter streaming(Streams script) {
    streams = Optional.of(script);
    return this;
  }

  @Override
  public Optional<Streams> streams() {
    return streams;
  }

  @Override
  public ProviderProfile profile() {
    return profile;
  }

  @Override
  public SubmitResult submit(Submission submission) {
    submissions.add(submission);
    Verdict verdict = verdicts.apply(submission);
    return new SubmitResult(verdict, RawAnswer.none(true, ""));
  }

  @Override
  public StatusResult status(String remoteId) {
    asked.add("status " + remoteId);
    return statuses.getOrDefault(remoteId, new StatusResult.NotFound());
  }

  @Override
  public LookupResult findByReference(String reference) {
    asked.add("reference " + reference);
    return found();
  }

  @Override
  public LookupResult list(Instant from, Instant to) {
    asked.add("list " + from + " " + to);
    return found();
  }

  @Override
  public DownloadResult download(OutputRef output, OutputSink sink, long maxBytes)
      throws IOException {
    asked.add("download " + output.url());
    return download.of(output, sink);
  }

  /** What a download gives. */
  public interface Download {
    DownloadResult of(OutputRef output, OutputSink sink) throws IOException;
  }

  /** Answers downloads. */
  public ScriptedAdapter downloads(Download answer) {
    download = answer;
    return this;
  }

  @Override
  public void close() {}
}
