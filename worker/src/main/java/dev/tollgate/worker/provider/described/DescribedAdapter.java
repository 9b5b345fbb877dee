package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.CancelResult;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.OutputSink;
import dev.tollgate.worker.provider.OwnPaths;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.RawAnswer;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.provider.VerdictRules;
import dev.tollgate.worker.provider.VerdictRules.Judgement;
import dev.tollgate.worker.provider.WebhookReader;
import dev.tollgate.worker.provider.described.Requests.Built;
import dev.tollgate.worker.provider.described.Requests.NotBuilt;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Outputs;
import dev.tollgate.worker.provider.http.Collector;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.http.HttpCall;
import dev.tollgate.worker.provider.http.HttpEngine;
import dev.tollgate.worker.provider.http.HttpSettings;
import dev.tollgate.worker.provider.spi.RequestSigner;
import dev.tollgate.worker.provider.stream.Streams;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Speaks to the provider that a descriptor describes. Thread-safe.
 *
 * <p>Submits, other calls and downloads have a pool of connections each, so that neither a slow
 * download nor a burst of status calls takes a connection from a submit.
 */
public final class DescribedAdapter implements ProviderAdapter {
  /** An image or two, in base64. */
  private static final int RESULT_BYTES_MAX = 32 * 1024 * 1024;

  private final Descriptor descriptor;
  private final DescribedConfig config;
  private final Map<String, JsonNode> base;
  private final Requests requests;
  private final Answers answers;
  private final VerdictRules rules;
  private final Optional<ParamsRule> params;
  private final HttpEngine submits;
  private final HttpEngine others;
  private final Reads reads;
  private final Lists lists;
  private final Optional<AnswerResults> results;
  private final Downloads downloads;
  private final Optional<WebhookReader> webhooks;
  private final Optional<Streams> streams;

  private DescribedAdapter(
      Descriptor descriptor,
      DescribedConfig config,
      Optional<RequestSigner> signer,
      HttpSettings settings,
      Patience patience,
      LongSupplier nanoTime,
      Deadlines deadlines) {
    this.descriptor = descriptor;
    this.config = config;
    this.base = config.variables();
    this.requests = new Requests(descriptor, config.endpoint(), signer, config.credentials());
    TaskIds ids = new TaskIds(descriptor, base);
    this.answers = new Answers(descriptor, ids, base);
    this.rules =
        new VerdictRules(
            descriptor.create().answers().stream().map(Descriptor.Documented::rule).toList());
    this.params = descriptor.params().map(ParamsRule::new);
    this.submits = HttpEngine.open(config.endpoint(), settings, nanoTime, deadlines);
    this.others = HttpEngine.open(config.endpoint(), settings, nanoTime, deadlines);
    this.reads =
        new Reads(
            descriptor, requests, others, base, config.credentials(), nanoTime, patience.read());
    this.results =
        descriptor
            .create()
            .outputs()
            .map(outputs -> new AnswerResults(outputs, config.keptAnswers(), base));
    this.lists = new Lists(reads, ids, base, nanoTime);
    this.downloads =
        new Downloads(
            config.endpoint(),
            OwnPaths.of(
                config.endpoint().getRawPath(),
                descriptor.outputs().map(Outputs::credentialBelow).orElse(List.of())),
            Stream.concat(
                    descriptor.outputs().map(Outputs::hosts).orElse(List.of()).stream(),
                    config.outputHosts().stream())
                .toList(),
            settings,
            nanoTime,
            deadlines,
            patience.download());
    this.streams =
        descriptor.create().stream()
            .map(
                stream ->
                    new DescribedStreams(
                        descriptor,
                        stream,
                        new StreamedCreates(),
                        requests,
                        submits,
                        others,
                        new StreamEvents(stream, base, config.credentials()::redactor),
                        answers,
                        base,
                        nanoTime,
                        patience.read()));
    this.webhooks =
        descriptor
            .webhook()
            .map(
                webhook ->
                    new DescribedWebhooks(
                        descriptor,
                        webhook,
                        base,
                        config.credentials(),
                        WebhookSignatures.of(
                            webhook.verify(), config.credentials(), nanoTime, deadlines)));
  }

  /**
   * How long calls other than submits may take.
   *
   * @param read one status call, or one page of a look-up
   * @param download one output
   */
  public record Patience(Duration read, Duration download) {
    public static final Patience USUAL =
        new Patience(Duration.ofSeconds(10), Duration.ofMinutes(10));
  }

  /**
   * Connects with its first call.
   *
   * @param signer what signs requests, where the descriptor names a signer
   * @param nanoTime the monotonic clock that the deadlines of submissions are readings of
   * @param deadlines the process's deadline thread; to be closed after this
   */
  public static DescribedAdapter open(
      Descriptor descriptor,
      DescribedConfig config,
      Optional<RequestSigner> signer,
      HttpSettings settings,
      Patience patience,
      LongSupplier nanoTime,
      Deadlines deadlines) {
    return new DescribedAdapter(
        descriptor, config, signer, settings, patience, nanoTime, deadlines);
  }

  @Override
  public ProviderProfile profile() {
    return config.profile();
  }

  @Override
  public Optional<String> objection(Bytes given) {
    return params.flatMap(rule -> rule.objection(given));
  }

  @Override
  public SubmitResult submit(Submission submission) {
    Built built;
    try {
      built = create(submission);
    } catch (NotBuilt e) {
      HttpAnswer unsent = HttpAnswer.notSent("the request was not built: " + e.getMessage());
      return result(submission, unsent, judge(unsent, Optional.empty(), submission));
    }
    HttpCall call =
        HttpCall.of(
            built.method(),
            built.target(),
            built.headers(),
            built.body(),
            submission.sendNotAfterNanos(),
            submission.answerByNanos());
    int limit = results.isPresent() ? RESULT_BYTES_MAX : RawAnswer.BODY_LIMIT;
    HttpAnswer answer = submits.send(call, new Collector(limit));
    Judgement judgement = judge(answer, built.json(), submission);
    return result(submission, answer, kept(judgement, answer));
  }

  private Judgement judge(HttpAnswer answer, Optional<JsonNode> request, Submission submission) {
    return rules.judge(answer, read -> answers.read(read, request, submission.submissionKey()));
  }

  /** An answer that is the result counts once it is kept. */
  private Judgement kept(Judgement judgement, HttpAnswer answer) {
    if (results.isPresent()
        && judgement.verdict() instanceof Verdict.Accepted(String id, String _)) {
      try {
        results.get().keep(id, answer.body());
      } catch (IOException e) {
        return new Judgement(
            new Verdict.Unknown("the answer is the result, and could not be kept: " + e),
            Optional.of(id));
      }
    }
    return judgement;
  }

  private SubmitResult result(Submission submission, HttpAnswer answer, Judgement judgement) {
    return SubmitResult.of(
        submission.key(), profile().name(), answer, judgement, config.credentials().redactor());
  }

  /** The request that a submission is. */
  Built create(Submission submission) throws NotBuilt {
    JsonNode input =
        PartialJson.whole(submission.params().toByteArray())
            .orElseThrow(() -> new NotBuilt("the parameters are not JSON"));
    Map<String, JsonNode> variables = new HashMap<>(base);
    variables.put("key", TextNode.valueOf(submission.submissionKey()));
    variables.put("operation", TextNode.valueOf(submission.key()));
    variables.put(
        "callback",
        config
            .callback(submission.key())
            .<JsonNode>map(TextNode::valueOf)
            .orElse(NullNode.getInstance()));
    return requests.build(descriptor.create().call(), input, variables);
  }

  @Override
  public StatusResult status(String remoteId) {
    if (streams.isPresent()) {
      return new StatusResult.Unavailable("its output is a stream");
    }
    return results.isPresent() ? results.get().status(remoteId) : reads.status(remoteId);
  }

  @Override
  public int statusBatch() {
    return many().map(many -> Math.min(many.most(), config.statusBatch(many))).orElse(1);
  }

  @Override
  public Map<String, StatusResult> statuses(List<String> remoteIds) {
    return statusBatch() > 1
        ? new ManyStatuses(reads, base, many().orElseThrow()).ask(remoteIds)
        : ProviderAdapter.super.statuses(remoteIds);
  }

  private Optional<Descriptor.Many> many() {
    return descriptor.status().flatMap(Descriptor.Status::many);
  }

  @Override
  public LookupResult findByReference(String reference) {
    return descriptor
        .find()
        .filter(_ -> profile().recourses().contains(Recourse.LOOKUP_BY_REFERENCE))
        .map(search -> lists.find(search, reference))
        .orElse(new LookupResult.NotSupported());
  }

  @Override
  public LookupResult list(Instant from, Instant to) {
    return descriptor
        .list()
        .filter(
            _ ->
                profile().recourses().contains(Recourse.LIST_BY_TIME)
                    || profile().recourses().contains(Recourse.ECHOED_REFERENCE))
        .map(listing -> lists.list(listing, from, to))
        .orElse(new LookupResult.NotSupported());
  }

  @Override
  public Optional<Bytes> comparable(Bytes given) {
    return descriptor.compare().flatMap(jq -> Lists.comparable(jq, given, base));
  }

  @Override
  public Optional<String> keptTask(String reference) {
    return results.filter(kept -> kept.has(reference)).map(_ -> reference);
  }

  @Override
  public Optional<WebhookReader> webhooks() {
    return webhooks;
  }

  @Override
  public Optional<Streams> streams() {
    return streams;
  }

  /** What a streamed create has in common with others. */
  private final class StreamedCreates implements DescribedStreams.Creates {
    @Override
    public Built build(Submission submission) throws NotBuilt {
      return create(submission);
    }

    @Override
    public Judgement judge(HttpAnswer answer, Optional<JsonNode> request, Submission submission) {
      return DescribedAdapter.this.judge(answer, request, submission);
    }

    @Override
    public SubmitResult result(Submission submission, HttpAnswer answer, Judgement judgement) {
      return DescribedAdapter.this.result(submission, answer, judgement);
    }
  }

  @Override
  public CancelResult cancel(String remoteId) {
    return reads.cancel(remoteId);
  }

  @Override
  public DownloadResult download(OutputRef output, OutputSink sink, long maxBytes)
      throws IOException {
    if (results.isPresent() && AnswerResults.isInside(output)) {
      return results.get().download(output, sink, maxBytes);
    }
    return downloads.download(output, sink, maxBytes, requests::ownDownloadHeaders);
  }

  @Override
  public void close() {
    submits.close();
    others.close();
    downloads.close();
  }
}
