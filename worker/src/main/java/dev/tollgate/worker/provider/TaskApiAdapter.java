package dev.tollgate.worker.provider;

import dev.tollgate.schema.Code;
import dev.tollgate.worker.provider.VerdictRules.Judgement;
import dev.tollgate.worker.provider.http.BodyEnd;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Speaks the task API: {@code POST tasks}, {@code GET tasks/{id}}, the look-ups that the provider
 * has, and outputs at the provider's own origin. Thread-safe.
 *
 * <p>Submits, look-ups and downloads have a pool of connections each, so that neither a slow
 * download nor a burst of status calls takes a connection from a submit.
 */
public final class TaskApiAdapter implements ProviderAdapter {
  private static final Logger log = LoggerFactory.getLogger(TaskApiAdapter.class);

  private final ProviderProfile profile;
  private final Patience patience;
  private final LongSupplier nanoTime;
  private final HttpEngine submits;
  private final HttpEngine reads;
  private final HttpEngine downloads;
  private final VerdictRules rules = new VerdictRules(CreateFacts.taskApi());
  private final TaskApiLookups lookups;
  private final Redactor redactor;
  private final String path;
  private final Map<String, String> headers;

  private TaskApiAdapter(
      ProviderProfile profile,
      HttpSettings settings,
      Patience patience,
      LongSupplier nanoTime,
      Deadlines deadlines) {
    this.profile = profile;
    this.patience = patience;
    this.nanoTime = nanoTime;
    this.submits = HttpEngine.open(profile.base(), settings, nanoTime, deadlines);
    this.reads = HttpEngine.open(profile.base(), settings, nanoTime, deadlines);
    this.downloads = HttpEngine.open(profile.base(), settings, nanoTime, deadlines);
    this.redactor = Redactor.of(List.of(profile.apiKey()));
    String raw = profile.base().getRawPath();
    this.path = raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw;
    this.headers =
        Map.of(
            "Authorization", "Bearer " + profile.apiKey().reveal(), "Accept", "application/json");
    this.lookups =
        new TaskApiLookups(
            reads, path, headers, profile.recourse(), redactor, nanoTime, patience.read());
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
      ProviderProfile profile, LongSupplier nanoTime, Deadlines deadlines) {
    HttpSettings settings =
        HttpSettings.of(profile.concurrency(), profile.timing().connectionLife());
    return open(profile, settings, Patience.USUAL, nanoTime, deadlines);
  }

  static TaskApiAdapter open(
      ProviderProfile profile,
      HttpSettings settings,
      Patience patience,
      LongSupplier nanoTime,
      Deadlines deadlines) {
    return new TaskApiAdapter(profile, settings, patience, nanoTime, deadlines);
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
    Judgement judgement = rules.judge(answer);
    Verdict verdict = redacted(judgement.verdict());
    if (verdict instanceof Verdict.Rejected(Rejection rejection, String reason)
        && rejection.alarm()) {
      log.error(
          "operation {}: provider {} has its submission key with other parameters ({}): one key"
              + " went out with two sets of parameters; the operation is refused",
          submission.key(),
          profile.name(),
          reason);
    }
    return new SubmitResult(verdict, evidence(answer, judgement.seenId()));
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
    if (!sameOrigin(output.url())) {
      return new DownloadResult.Invalid(
          Code.OUTPUT_INVALID, "its address is outside the provider's origin");
    }
    if (output.length().orElse(0) > maxBytes) {
      return new DownloadResult.Invalid(
          Code.OUTPUT_INVALID, "announced as longer than " + maxBytes);
    }
    URI url = output.url();
    String rawPath = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    String target = url.getRawQuery() == null ? rawPath : rawPath + "?" + url.getRawQuery();
    CheckedDownload download = new CheckedDownload(output, sink, maxBytes);
    long answerBy = nanoTime.getAsLong() + patience.download().toNanos();
    return download.judge(downloads.send(HttpCall.get(target, headers, answerBy), download));
  }

  @Override
  public void close() {
    submits.close();
    reads.close();
    downloads.close();
  }

  private Map<String, String> submitHeaders(Submission submission) {
    if (profile.recourse() != Recourse.IDEMPOTENT_CREATE) {
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
    if (profile.recourse() == Recourse.LOOKUP_BY_REFERENCE) {
      body.writeBytes(ascii(",\"client_reference\":\"" + submission.submissionKey() + "\""));
    }
    body.writeBytes(ascii("}"));
    return body.toByteArray();
  }

  /** The verdict as it may be stored and logged. */
  private Verdict redacted(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Accepted(String id, String note) ->
          redactor.redact(id).equals(id)
              ? new Verdict.Accepted(id, redactor.redact(note))
              : new Verdict.Unknown("the task id in the answer contains a credential");
      case Verdict.Rejected(Rejection rejection, String reason) ->
          new Verdict.Rejected(rejection, redactor.redact(reason));
      case Verdict.Throttled(Duration after, String reason) ->
          new Verdict.Throttled(after, redactor.redact(reason));
      case Verdict.NotSent(String reason) -> new Verdict.NotSent(redactor.redact(reason));
      case Verdict.Unknown(String reason) -> new Verdict.Unknown(redactor.redact(reason));
    };
  }

  private RawAnswer evidence(HttpAnswer answer, Optional<String> seenId) {
    boolean truncated = answer.end() == BodyEnd.CUT || answer.end() == BodyEnd.OVER_LIMIT;
    Map<String, String> kept = new HashMap<>();
    answer.headers().forEach((name, value) -> kept.put(name, redactor.redact(value)));
    return new RawAnswer(
        answer.firstByteSent(),
        answer.status(),
        kept,
        Bytes.copyOf(redactor.redact(answer.body(), truncated)),
        truncated,
        redactor.redact(answer.error()),
        seenId.map(redactor::redact));
  }

  private boolean sameOrigin(URI url) {
    URI base = profile.base();
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
