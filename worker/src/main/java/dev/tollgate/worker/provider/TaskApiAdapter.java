package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.OutputFetch.Route;
import dev.tollgate.worker.provider.VerdictRules.Judgement;
import dev.tollgate.worker.provider.http.Collector;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.http.HttpCall;
import dev.tollgate.worker.provider.http.HttpEngine;
import dev.tollgate.worker.provider.http.HttpSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Speaks the task API: {@code POST tasks}, {@code GET tasks/{id}}, the look-ups that the provider
 * has, and outputs at the provider's own origin. Thread-safe.
 *
 * <p>Submits, look-ups and downloads have a pool of connections each, so that neither a slow
 * download nor a burst of status calls takes a connection from a submit.
 */
public final class TaskApiAdapter implements ProviderAdapter {

  private final ProviderProfile profile;
  private final URI base;
  private final Patience patience;
  private final LongSupplier nanoTime;
  private final HttpEngine submits;
  private final HttpEngine reads;
  private final HttpEngine downloads;
  private final VerdictRules rules = new VerdictRules(TaskApiRules.DOCUMENTED);
  private final TaskApiLookups lookups;
  private final Redactor redactor;
  private final String path;
  private final OwnPaths ownPaths;
  private final Map<String, String> headers;

  private TaskApiAdapter(
      ProviderProfile profile,
      URI base,
      Secret apiKey,
      HttpSettings settings,
      Patience patience,
      LongSupplier nanoTime,
      Deadlines deadlines) {
    this.profile = profile;
    this.base = base;
    this.patience = patience;
    this.nanoTime = nanoTime;
    this.submits = HttpEngine.open(base, settings, nanoTime, deadlines);
    this.reads = HttpEngine.open(base, settings, nanoTime, deadlines);
    this.downloads = HttpEngine.open(base, settings, nanoTime, deadlines);
    this.redactor = Redactor.of(List.of(apiKey));
    String raw = base.getRawPath();
    this.path = raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw;
    this.ownPaths = OwnPaths.of(path, List.of("/"));
    this.headers =
        Map.of("Authorization", "Bearer " + apiKey.reveal(), "Accept", "application/json");
    this.lookups =
        new TaskApiLookups(
            reads, path, headers, profile.recourses(), redactor, nanoTime, patience.read());
  }

  /**
   * How long calls other than submits may take.
   *
   * @param read one status call, or one page of a look-up
   * @param download one output
   */
  record Patience(Duration read, Duration download) {
    static final Patience USUAL = new Patience(Duration.ofSeconds(10), Duration.ofMinutes(10));
  }

  /**
   * Connects with its first call.
   *
   * @param nanoTime the monotonic clock that the deadlines of submissions are readings of
   * @param deadlines the process's deadline thread; to be closed after this
   */
  public static TaskApiAdapter open(
      ProviderProfile profile,
      URI base,
      Secret apiKey,
      LongSupplier nanoTime,
      Deadlines deadlines) {
    HttpSettings settings =
        HttpSettings.of(profile.concurrency(), profile.timing().connectionLife());
    return open(profile, base, apiKey, settings, Patience.USUAL, nanoTime, deadlines);
  }

  static TaskApiAdapter open(
      ProviderProfile profile,
      URI base,
      Secret apiKey,
      HttpSettings settings,
      Patience patience,
      LongSupplier nanoTime,
      Deadlines deadlines) {
    return new TaskApiAdapter(profile, base, apiKey, settings, patience, nanoTime, deadlines);
  }

  @Override
  public ProviderProfile profile() {
    return profile;
  }

  @Override
  public SubmitResult submit(Submission submission) {
    HttpCall call =
        HttpCall.post(
            path + "/tasks",
            submitHeaders(submission),
            submitBody(submission),
            submission.sendNotAfterNanos(),
            submission.answerByNanos());
    HttpAnswer answer = submits.send(call, new Collector(RawAnswer.BODY_LIMIT));
    Judgement judgement = rules.judge(answer, whole -> AnswerBody.read(whole.body()));
    return SubmitResult.of(submission.key(), profile.name(), answer, judgement, redactor);
  }

  @Override
  public StatusResult status(String remoteId) {
    return lookups.status(remoteId);
  }

  @Override
  public LookupResult findByReference(String reference) {
    return lookups.findByReference(reference);
  }

  @Override
  public LookupResult list(Instant from, Instant to) {
    return lookups.list(from, to);
  }

  @Override
  public DownloadResult download(OutputRef output, OutputSink sink, long maxBytes)
      throws IOException {
    return new OutputFetch(this::route, nanoTime, patience.download())
        .fetch(output, sink, maxBytes);
  }

  private Route route(URI url) {
    return sameOrigin(url)
        ? new Route.Open(
            downloads, ownPaths.contain(url.getRawPath()) ? headers : Map.of(), Optional::empty)
        : new Route.Refused("its address is outside the provider's origin");
  }

  @Override
  public void close() {
    submits.close();
    reads.close();
    downloads.close();
  }

  private Map<String, String> submitHeaders(Submission submission) {
    if (!profile.recourses().contains(Recourse.IDEMPOTENT_CREATE)) {
      return headers;
    }
    Map<String, String> keyed = new HashMap<>(headers);
    keyed.put("Idempotency-Key", "\"" + submission.submissionKey() + "\"");
    return keyed;
  }

  private byte[] submitBody(Submission submission) {
    ByteArrayOutputStream body = new ByteArrayOutputStream(submission.params().size() + 96);
    body.writeBytes(ascii("{\"input\":"));
    body.writeBytes(submission.params().toByteArray());
    if (profile.recourses().contains(Recourse.LOOKUP_BY_REFERENCE)) {
      body.writeBytes(ascii(",\"client_reference\":\"" + submission.submissionKey() + "\""));
    }
    body.writeBytes(ascii("}"));
    return body.toByteArray();
  }

  private boolean sameOrigin(URI url) {
    return url.getRawUserInfo() == null
        && url.getHost() != null
        && base.getScheme().equals(String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT))
        && base.getHost().toLowerCase(Locale.ROOT).equals(url.getHost().toLowerCase(Locale.ROOT))
        && port(base) == port(url);
  }

  private static int port(URI uri) {
    if (uri.getPort() >= 0) {
      return uri.getPort();
    }
    return "https".equals(uri.getScheme()) ? 443 : 80;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
