package dev.tollgate.worker.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tollgate.schema.Code;
import dev.tollgate.worker.provider.DownloadResult.Downloaded;
import dev.tollgate.worker.provider.DownloadResult.Invalid;
import dev.tollgate.worker.provider.LookupResult.Candidates;
import dev.tollgate.worker.provider.StatusResult.Status;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.RawH2Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** The task API as it is spoken, against a server that answers by request line. */
@ParameterizedClass
@EnumSource(Made.class)
class TaskApiAdapterIT {
  @Parameter Made made = Made.BY_DESCRIPTOR;

  private static final String AT = "\"created_at\":\"2026-01-02T03:04:05.678Z\"";
  private static final Instant INSTANT = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final String DIGEST = sha256("output");

  @Test
  void submit_keyed_sendsKeyAsStructuredString() throws IOException {
    RawServer.Request request = submitted("/keyed", Recourse.IDEMPOTENT_CREATE);
    assertThat(request.line()).isEqualTo("POST /keyed/tasks HTTP/1.1");
    assertThat(request.header("Idempotency-Key")).contains("\"" + Adapters.SUBMISSION_KEY + "\"");
    assertThat(request.header("Authorization")).contains("Bearer " + Adapters.API_KEY);
    assertThat(request.header("Content-Type")).contains("application/json");
    assertThat(request.body()).isEqualTo("{\"input\":{\"prompt\":\"a red kite\"}}");
  }

  @Test
  void submit_lookup_sendsKeyAsReference() throws IOException {
    RawServer.Request request = submitted("/lookup/", Recourse.LOOKUP_BY_REFERENCE);
    assertThat(request.line()).isEqualTo("POST /lookup/tasks HTTP/1.1");
    assertThat(request.header("Idempotency-Key")).isEmpty();
    assertThat(request.body())
        .isEqualTo(
            "{\"input\":{\"prompt\":\"a red kite\"},\"client_reference\":\""
                + Adapters.SUBMISSION_KEY
                + "\"}");
  }

  @Test
  void submit_blind_sendsNoKey() throws IOException {
    RawServer.Request request = submitted("/blind", Recourse.NONE);
    assertThat(request.head() + request.body()).doesNotContain(Adapters.SUBMISSION_KEY);
  }

  @Test
  void submit_providerEchoesTheCredential_evidenceDoesNot() throws IOException {
    String echo =
        "{\"error\":{\"code\":\"bad_key\",\"message\":\"Bearer " + Adapters.API_KEY + "\"}}";
    String headers = "X-Request-Id: " + Adapters.API_KEY + "\r\nX-Other: y\r\n";
    try (RawServer server =
            new RawServer((_, s) -> RawServer.write(s, RawServer.answer(401, headers, echo)));
        ProviderAdapter adapter = made.open(server.base("/blind"), Recourse.NONE)) {
      SubmitResult result = adapter.submit(Adapters.submission(Adapters.PLENTY));
      assertThat(result.verdict()).isEqualTo(new Verdict.Rejected(Rejection.AUTH, "401 bad_key"));
      assertThat(result.raw().body().toUtf8()).contains("Bearer [redacted]");
      assertThat(result.raw().headers())
          .containsEntry("x-request-id", "[redacted]")
          .doesNotContainKey("x-other");
      assertThat(result + " " + adapter.profile()).doesNotContain(Adapters.API_KEY);
    }
  }

  @Test
  void everythingLogged_holdsNoCredentialAndNoBody() throws IOException {
    Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    Level before = root.getLevel();
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    root.setLevel(Level.TRACE);
    root.addAppender(logged);
    try {
      submitted("/keyed", Recourse.IDEMPOTENT_CREATE);
      download(RawServer.answer(200, "output"), DIGEST, 6, 100);
      submittedOverHttp2();
    } finally {
      root.detachAppender(logged);
      root.setLevel(before);
    }
    assertThat(logged.list).isNotEmpty();
    assertThat(logged.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .noneMatch(line -> line.contains(Adapters.API_KEY))
        .noneMatch(line -> line.contains(Adapters.SUBMISSION_KEY))
        .noneMatch(line -> line.contains("red kite"))
        .noneMatch(line -> line.contains("signature"));
  }

  /** An answer, and frames of which each makes the client say something if it ever does. */
  private void submittedOverHttp2() throws IOException {
    RawH2Server.Script script =
        (request, peer) -> {
          peer.answer(request.streamId(), 202, "{\"id\":\"t-1\",\"note\":\"signature\"}");
          peer.goAway(request.streamId(), RawH2Server.PROTOCOL_ERROR);
          peer.fin();
        };
    try (RawH2Server server = new RawH2Server(script);
        ProviderAdapter adapter =
            made.open(
                server.base("/keyed"),
                Recourse.IDEMPOTENT_CREATE,
                Adapters.usual(1).with(HttpProtocol.HTTP_2),
                System::nanoTime)) {
      adapter.submit(Adapters.submission(Adapters.PLENTY));
      Map<String, String> headers = server.requests().getFirst().headers();
      assertThat(headers)
          .containsEntry(":method", "POST")
          .containsEntry(":path", "/keyed/tasks")
          .containsEntry(":scheme", "http")
          .containsEntry("authorization", "Bearer " + Adapters.API_KEY)
          .containsEntry("idempotency-key", "\"" + Adapters.SUBMISSION_KEY + "\"")
          .containsEntry("content-type", "application/json")
          .containsEntry("accept", "application/json")
          .containsEntry("accept-encoding", "identity")
          .doesNotContainKeys("host", "connection", "transfer-encoding");
      assertThat(server.requests().getFirst().body()).contains("red kite");
    }
  }

  @Test
  void status_knowsTheFourStates() throws IOException {
    assertThat(status(200, task("queued", ""))).isEqualTo(plain(TaskState.QUEUED));
    assertThat(status(200, task("processing", ""))).isEqualTo(plain(TaskState.PROCESSING));
    assertThat(status(200, task("failed", ",\"error\":{\"code\":\"nsfw\",\"message\":\"a\\nb\"}")))
        .isEqualTo(
            new Status(
                TaskState.FAILED, Optional.empty(), Optional.of(new TaskError("nsfw", "a?b"))));
    String output =
        ",\"output\":{\"url\":\"http://127.0.0.1:1/outputs/t-1?s=1\",\"sha256\":\""
            + DIGEST
            + "\",\"length\":6,\"content_type\":\"video/mp4\"}";
    assertThat(status(200, task("succeeded", output)))
        .isEqualTo(
            new Status(
                TaskState.SUCCEEDED,
                Optional.of(
                    new OutputRef(
                        URI.create("http://127.0.0.1:1/outputs/t-1?s=1"),
                        Optional.of(DIGEST),
                        OptionalLong.of(6),
                        Optional.of("video/mp4"))),
                Optional.empty()));
  }

  @Test
  void status_outputWithMalformedDigest_isNoOutput() throws IOException {
    String output = ",\"output\":{\"url\":\"http://h/o\",\"sha256\":\"xyz\"}";
    assertThat(status(200, task("succeeded", output))).isEqualTo(plain(TaskState.SUCCEEDED));
  }

  @Test
  void status_unknownWord_isKept() throws IOException {
    assertThat(status(200, task("reticulating", "")))
        .isEqualTo(new StatusResult.UnknownWord("reticulating"));
  }

  @Test
  void fc47_ownNotFound_isNotFound_andOtherNotFoundIsNot() throws IOException {
    assertThat(status(404, "{\"error\":{\"code\":\"task_not_found\",\"message\":\"x\"}}"))
        .isEqualTo(new StatusResult.NotFound());
    assertThat(status(404, "{\"success\":false,\"error\":\"Job not found\"}"))
        .isInstanceOf(StatusResult.Unavailable.class);
    assertThat(status(404, "<html>")).isInstanceOf(StatusResult.Unavailable.class);
  }

  @Test
  void status_blips_areUnavailable() throws IOException {
    for (int code : new int[] {204, 302, 401, 403, 500, 503}) {
      assertThat(status(code, "{}")).isInstanceOf(StatusResult.Unavailable.class);
    }
    assertThat(status(429, "{}")).isEqualTo(new StatusResult.Throttled(Duration.ofSeconds(1)));
    assertThat(status(200, task("queued", "").replace("t-1", "t-2")))
        .isInstanceOf(StatusResult.Unavailable.class);
    assertThat(status(200, "<html>")).isInstanceOf(StatusResult.Unavailable.class);
    assertThat(status(200, "{\"id\":\"t-1\"}")).isInstanceOf(StatusResult.Unavailable.class);
  }

  @Test
  void status_serverCloses_isUnavailable() throws IOException {
    try (RawServer server = new RawServer((_, socket) -> RawServer.fin(socket));
        ProviderAdapter adapter = made.open(server.base("/x"), Recourse.NONE)) {
      assertThat(adapter.status("t-1")).isInstanceOf(StatusResult.Unavailable.class);
      assertThat(adapter.status("..")).isInstanceOf(StatusResult.Unavailable.class);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void status_idIsEncoded() throws IOException {
    try (RawServer server =
            new RawServer((_, s) -> RawServer.write(s, RawServer.answer(404, "{}")));
        ProviderAdapter adapter = made.open(server.base("/x"), Recourse.NONE)) {
      adapter.status("a/b?c#d");
      assertThat(server.requests().getFirst().line())
          .isEqualTo("GET /x/tasks/a%2Fb%3Fc%23d HTTP/1.1");
    }
  }

  @Test
  void findByReference_takesOnlyWhatCarriesIt() throws IOException {
    String mine = "{\"id\":\"t-1\",\"status\":\"queued\"," + AT + ",\"client_reference\":\"ref\"}";
    String other = "{\"id\":\"t-2\",\"status\":\"queued\"," + AT + ",\"client_reference\":\"no\"}";
    Candidate candidate = new Candidate("t-1", INSTANT, Optional.empty(), Optional.of("ref"));
    assertThat(find("{\"tasks\":[" + mine + "]}"))
        .isEqualTo(new Candidates(List.of(candidate), true));
    assertThat(find("{\"tasks\":[]}")).isEqualTo(new Candidates(List.of(), true));
    assertThat(find("{\"tasks\":[" + mine + "," + other + "]}"))
        .as("a filter that was ignored proves no absence")
        .isEqualTo(new Candidates(List.of(candidate), false));
    assertThat(find("{\"tasks\":[{\"id\":7}]}")).isEqualTo(new Candidates(List.of(), false));
    assertThat(find("{\"tasks\":null}")).isInstanceOf(LookupResult.Unavailable.class);
    assertThat(find("[]")).isInstanceOf(LookupResult.Unavailable.class);
  }

  @Test
  void lookups_thatTheProviderLacks_areNotSupported() throws IOException {
    try (RawServer server = new RawServer((_, _) -> RawServer.hang());
        ProviderAdapter adapter = made.open(server.base("/x"), Recourse.NONE)) {
      assertThat(adapter.findByReference("r")).isEqualTo(new LookupResult.NotSupported());
      assertThat(adapter.list(INSTANT, INSTANT)).isEqualTo(new LookupResult.NotSupported());
      assertThat(server.connections()).isZero();
    }
  }

  @Test
  void list_followsCursorsAndShowsCanonicalInputs() throws IOException {
    String first = "{\"tasks\":[" + listed("t-1") + "],\"next_cursor\":\"c=2\"}";
    String last = "{\"tasks\":[" + listed("t-2") + "],\"next_cursor\":null}";
    try (RawServer server =
            new RawServer(
                (r, s) ->
                    RawServer.write(
                        s, RawServer.answer(200, r.line().contains("cursor=") ? last : first)));
        ProviderAdapter adapter = made.open(server.base("/listed"), Recourse.LIST_BY_TIME)) {
      LookupResult result = adapter.list(INSTANT.plusNanos(1), INSTANT.plusNanos(2));

      assertThat(result).isInstanceOf(Candidates.class);
      Candidates candidates = (Candidates) result;
      assertThat(candidates.complete()).isTrue();
      assertThat(candidates.candidates())
          .extracting(Candidate::remoteId)
          .containsExactly("t-1", "t-2");
      assertThat(candidates.candidates().getFirst().canonicalInput().map(Bytes::toUtf8))
          .contains("{\"a\":1.5,\"b\":\"ü\"}");
      assertThat(server.requests().get(0).line())
          .contains("created_after=2026-01-02T03%3A04%3A05.678Z")
          .contains("created_before=2026-01-02T03%3A04%3A05.679Z")
          .contains("limit=100");
      assertThat(server.requests().get(1).line()).contains("cursor=c%3D2");
    }
  }

  @Test
  void list_aPageFails_isIncomplete() throws IOException {
    String first = "{\"tasks\":[" + listed("t-1") + "],\"next_cursor\":\"c\"}";
    assertThat(complete(first, RawServer.answer(500, "{}"))).isFalse();
    assertThat(complete(first, RawServer.answer(200, first))).as("a circle").isFalse();
    assertThat(complete(first, RawServer.answer(200, "{\"tasks\":[],\"next_cursor\":7}")))
        .isFalse();
    assertThat(complete(first, RawServer.answer(200, "{\"tasks\":[]}"))).isTrue();
  }

  @Test
  void download_whole_isCountedAndDigested() throws IOException {
    assertThat(download(RawServer.answer(200, "output"), DIGEST, 6, 100))
        .isEqualTo(new Downloaded(6, DIGEST));
  }

  @Test
  void download_wrong_isInvalid() throws IOException {
    assertThat(download(RawServer.answer(200, "0utput"), DIGEST, 6, 100))
        .isInstanceOfSatisfying(
            Invalid.class, i -> assertThat(i.code()).isEqualTo(Code.CHECKSUM_MISMATCH));
    for (DownloadResult result :
        new DownloadResult[] {
          download(RawServer.answer(200, "outpu"), DIGEST, 6, 100),
          download(RawServer.answer(200, "output!"), DIGEST, 6, 100),
          download(RawServer.answer(200, ""), DIGEST, 0, 100),
          download(RawServer.answer(200, "output"), DIGEST, 6, 5),
          download(RawServer.answer(200, "Content-Encoding: gzip\r\n", "output"), DIGEST, 6, 100),
        }) {
      assertThat(result)
          .isInstanceOfSatisfying(
              Invalid.class, i -> assertThat(i.code()).isEqualTo(Code.OUTPUT_INVALID));
    }
  }

  @Test
  void download_cutOrRefused_isUnavailable() throws IOException {
    for (String answer :
        new String[] {
          "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nout",
          RawServer.answer(403, "who are you?"),
          RawServer.answer(500, "expired"),
          ""
        }) {
      assertThat(download(answer, DIGEST, 6, 100)).isInstanceOf(DownloadResult.Unavailable.class);
    }
  }

  @Test
  void download_ofWhatIsNoLongerThere_isGone() throws IOException {
    String page = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>";
    for (String answer :
        new String[] {
          RawServer.answer(403, page), RawServer.answer(404, ""), RawServer.answer(410, "")
        }) {
      assertThat(download(answer, DIGEST, 6, 100)).isInstanceOf(DownloadResult.Gone.class);
    }
  }

  @Test
  void download_thatRedirectsElsewhere_isInvalid() throws IOException {
    assertThat(
            download(
                RawServer.answer(302, "Location: http://169.254.169.254/\r\n", ""), DIGEST, 6, 100))
        .isInstanceOf(Invalid.class);
  }

  @Test
  void download_fromElsewhere_isRefusedUnasked() throws IOException {
    try (RawServer server = new RawServer((_, _) -> RawServer.hang());
        ProviderAdapter adapter = made.open(server.base("/x"), Recourse.NONE)) {
      for (String url :
          new String[] {
            "http://127.0.0.1:1/o",
            "http://169.254.169.254/latest",
            "https://127.0.0.1:" + server.port() + "/o",
            "http://u@127.0.0.1:" + server.port() + "/o",
            "file:///etc/passwd"
          }) {
        OutputRef ref =
            new OutputRef(
                URI.create(url), Optional.empty(), OptionalLong.empty(), Optional.empty());
        assertThat(adapter.download(ref, (_, _, _) -> {}, 10)).isInstanceOf(Invalid.class);
      }
      assertThat(server.connections()).isZero();
    }
  }

  @Test
  void download_sinkFails_throwsItsException() throws IOException {
    try (RawServer server =
            new RawServer((_, s) -> RawServer.write(s, RawServer.answer(200, "output")));
        ProviderAdapter adapter = made.open(server.base("/x"), Recourse.NONE)) {
      OutputRef ref =
          new OutputRef(
              server.base("/o"), Optional.empty(), OptionalLong.empty(), Optional.empty());
      OutputSink full =
          (_, _, _) -> {
            throw new IOException("disk full");
          };
      assertThatThrownBy(() -> adapter.download(ref, full, 10)).hasMessage("disk full");
    }
  }

  @Test
  void horizon_isLifeAndHoldAndLag() {
    ProviderProfile profile = Adapters.profile(Recourse.NONE, 1);
    assertThat(profile.timing().horizonAfter()).hasSeconds(65);
    assertThatThrownBy(() -> Adapters.profile(Recourse.NONE, 0))
        .hasMessageContaining("concurrency");
  }

  private RawServer.Request submitted(String path, Recourse recourse) throws IOException {
    String created = "{\"id\":\"t-1\"}";
    try (RawServer server =
            new RawServer((_, s) -> RawServer.write(s, RawServer.answer(202, created)));
        ProviderAdapter adapter = made.open(server.base(path), recourse)) {
      assertThat(adapter.submit(Adapters.submission(Adapters.PLENTY)).verdict())
          .isEqualTo(new Verdict.Accepted("t-1", ""));
      return server.requests().getFirst();
    }
  }

  private StatusResult status(int code, String body) throws IOException {
    try (RawServer server =
            new RawServer((_, s) -> RawServer.write(s, RawServer.answer(code, body)));
        ProviderAdapter adapter = made.open(server.base("/x"), Recourse.NONE)) {
      return adapter.status("t-1");
    }
  }

  private LookupResult find(String body) throws IOException {
    try (RawServer server =
            new RawServer((_, s) -> RawServer.write(s, RawServer.answer(200, body)));
        ProviderAdapter adapter = made.open(server.base("/lookup"), Recourse.LOOKUP_BY_REFERENCE)) {
      return adapter.findByReference("ref");
    }
  }

  private boolean complete(String first, String second) throws IOException {
    try (RawServer server =
            new RawServer(
                (r, s) ->
                    RawServer.write(s, r.number() == 1 ? RawServer.answer(200, first) : second));
        ProviderAdapter adapter = made.open(server.base("/listed"), Recourse.LIST_BY_TIME)) {
      Candidates candidates = (Candidates) adapter.list(INSTANT, INSTANT);
      assertThat(candidates.candidates()).isNotEmpty();
      return candidates.complete();
    }
  }

  private DownloadResult download(String answer, String digest, long length, long max)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (RawServer server =
            new RawServer(
                (_, socket) -> {
                  RawServer.write(socket, answer);
                  return RawServer.fin(socket);
                });
        ProviderAdapter adapter = made.open(server.base("/x"), Recourse.NONE)) {
      OutputRef ref =
          new OutputRef(
              server.base("/outputs/t-1?signature=s"),
              Optional.of(digest),
              OptionalLong.of(length),
              Optional.empty());
      DownloadResult result = adapter.download(ref, out::write, max);
      if (result instanceof Downloaded) {
        assertThat(out.toString(UTF_8)).isEqualTo("output");
      }
      assertThat(out.size()).isLessThanOrEqualTo((int) max);
      return result;
    }
  }

  private static Status plain(TaskState state) {
    return new Status(state, Optional.empty(), Optional.empty());
  }

  private static String task(String status, String more) {
    return "{\"id\":\"t-1\",\"status\":\"" + status + "\"," + AT + more + "}";
  }

  private static String listed(String id) {
    return "{\"id\":\""
        + id
        + "\",\"status\":\"queued\","
        + AT
        + ",\"input\":{\"b\":\"\\u00fc\",\"a\":1.50}}";
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
