package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.Reply.Then;
import dev.tollgate.worker.provider.http.RawH2Server;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The verdict table, row by row, over a real socket and over both protocols, and an answer cut at
 * every one of its bytes. Rows about connections that never came to be are in {@link NotSentIT},
 * those that only HTTP/2 has (GOAWAY, RST_STREAM) in {@link Http2VerdictIT}.
 */
@ParameterizedClass
@EnumSource(Made.class)
class VerdictTableIT {
  @Parameter Made made = Made.BY_DESCRIPTOR;

  private static final Duration SOON = Duration.ofMillis(300);
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
  private static final String ID = "blind-7-abc";
  private static final String CREATED =
      "{\"id\":\"" + ID + "\",\"status\":\"queued\",\"created_at\":\"2026-01-02T03:04:05.678Z\"}";

  /** What the server answers, and what that means. */
  record Row(String name, Reply reply, String verdict) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Arguments> successes() {
    return overBoth(successRows());
  }

  static Stream<Arguments> refusals() {
    return overBoth(refusalRows());
  }

  private static Stream<Arguments> overBoth(Stream<Row> rows) {
    return rows.flatMap(row -> Arrays.stream(Wire.values()).map(wire -> Arguments.of(wire, row)));
  }

  private static Stream<Row> successRows() {
    return Stream.of(
        row("202 whole", Reply.of(202, CREATED), "Accepted " + ID),
        row("200 whole", Reply.of(200, CREATED), "Accepted " + ID),
        row("202 chunked", Reply.of(202, CREATED).inPieces(), "Accepted " + ID),
        row("1xx first", Reply.of(202, CREATED).after(103), "Accepted " + ID),
        row("100 first", Reply.of(202, CREATED).after(100, 103), "Accepted " + ID),
        row("without its end", Reply.of(202, CREATED).inPieces().then(Then.FIN), "Accepted cut"),
        row(
            "shorter than its length",
            Reply.of(202, CREATED).announcing(500).then(Then.FIN),
            "Accepted cut"),
        row(
            "as before, reset",
            Reply.of(202, CREATED).announcing(500).then(Then.RST),
            "Accepted cut"),
        row(
            "as before, silent",
            Reply.of(202, CREATED).announcing(500).then(Then.SILENCE),
            "Accepted cut"),
        row(
            "over the cap, id first",
            Reply.of(202, "{\"id\":\"" + ID + "\",\"x\":\"" + "y".repeat(40_000) + "\"}"),
            "Accepted cut"),
        row(
            "over the cap, id last",
            Reply.of(202, "{\"x\":\"" + "y".repeat(40_000) + "\",\"id\":\"" + ID + "\"}"),
            "Unknown 202"),
        row(
            "cut before the id",
            Reply.of(202, "{\"status\":\"queued\",").announcing(500).then(Then.FIN),
            "Unknown cut"),
        row("not JSON", Reply.of(200, "OK"), "Unknown not JSON"),
        row("HTML", Reply.of(200, "<html>id</html>"), "Unknown not JSON"),
        row("empty", Reply.of(200, ""), "Unknown empty"),
        row("null", Reply.of(200, "null"), "Unknown no object"),
        row(
            "fc49 array",
            Reply.of(200, "[[\"wrb\",\"X\",null,null,null,[5],\"generic\"]]"),
            "Unknown no object"),
        row("no id", Reply.of(202, "{\"status\":\"queued\"}"), "Unknown no id"),
        row("fc49 id null", Reply.of(202, "{\"id\":null}"), "Unknown without a task id"),
        row("id a number", Reply.of(202, "{\"id\":7}"), "Unknown without a task id"),
        row("id an object", Reply.of(202, "{\"id\":{\"id\":\"x\"}}"), "Unknown without a task id"),
        row("id blank", Reply.of(202, "{\"id\":\" \"}"), "Unknown unusable id"),
        row("id with U+0000", Reply.of(202, "{\"id\":\"a\\u0000\"}"), "Unknown unusable id"),
        row("two ids", Reply.of(202, "{\"id\":\"a\",\"id\":\"b\"}"), "Unknown without a task id"),
        row(
            "rubbish behind the id",
            Reply.of(202, "{\"id\":\"a\"}<html>"),
            "Unknown not JSON as a whole"),
        row("error object in 2xx", Reply.of(200, error("boom")), "Unknown boom"),
        row("204", Reply.of(204, "").without(), "Unknown empty"),
        row(
            "gzip rubbish",
            Reply.of(202, "\u001f\u008b\u0008\u0000ab", "Content-Encoding", "gzip"),
            "Unknown not JSON"),
        row("two lengths", Reply.of(202, CREATED, "Content-Length", "7"), "Unknown no answer"),
        row(
            "same header twice",
            Reply.of(202, CREATED, "Content-Type", "a/b", "Content-Type", "c/d"),
            "Accepted " + ID),
        row("1000 headers", Reply.of(202, CREATED, thousandFields()), "Unknown no answer"));
  }

  private static Stream<Row> refusalRows() {
    List<Row> rows = new ArrayList<>();
    for (int status : List.of(400, 404, 405, 413, 415, 422)) {
      rows.add(refusal(status, "Rejected PERMANENT"));
    }
    rows.add(refusal(401, "Rejected AUTH"));
    rows.add(refusal(403, "Rejected AUTH"));
    rows.add(refusal(402, "Rejected QUOTA"));
    for (int status : List.of(400, 401, 402, 403, 404, 405, 413, 415, 422, 429)) {
      Reply page = Reply.of(status, "<html>gateway</html>");
      rows.add(row(status + " of a gateway", page, "Unknown shape"));
    }
    for (int status :
        List.of(
            406, 408, 409, 418, 425, 500, 501, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526,
            527, 529)) {
      rows.add(refusal(status, "Unknown not documented"));
    }
    for (int status : List.of(301, 302, 303, 307, 308)) {
      Reply redirect = Reply.of(status, CREATED, "Location", "/tasks");
      rows.add(row(status + " redirect", redirect, "Unknown redirect"));
    }
    rows.add(
        row(
            "fc52 409 key in use",
            Reply.of(409, error("idempotency_key_in_use")),
            "Unknown still runs"));
    rows.add(
        row("fc43 409 busy", Reply.of(409, "{\"detail\":\"Already running\"}"), "Unknown shape"));
    rows.add(
        row(
            "422 key reused",
            Reply.of(422, error("idempotency_key_reused")),
            "Rejected KEY_REUSED"));
    rows.add(
        row(
            "429 rate limited",
            Reply.of(429, error("rate_limited"), "Retry-After", "7"),
            "Throttled PT7S"));
    rows.add(
        row("429 other code", Reply.of(429, error("too_many_tasks")), "Unknown not documented"));
    rows.add(
        row(
            "422 cut",
            Reply.of(422, error("bad_prompt").substring(0, 20)).announcing(60).then(Then.FIN),
            "Unknown"));
    rows.add(
        row("503 with an id", Reply.of(503, "{\"job_id\":\"j-1\"}"), "Unknown with a task id"));
    rows.add(
        row(
            "429 with an id",
            Reply.of(429, "{\"id\":\"j-1\",\"error\":{\"code\":\"rate_limited\"}}"),
            "Unknown with a task id"));
    return rows.stream();
  }

  @ParameterizedTest
  @MethodSource
  void successes(Wire wire, Row row) throws IOException {
    check(wire, row);
  }

  @ParameterizedTest
  @MethodSource
  void refusals(Wire wire, Row row) throws IOException {
    check(wire, row);
  }

  @ParameterizedTest
  @EnumSource
  void idInRefusal_isInTheEvidence(Wire wire) throws IOException {
    Reply reply = Reply.of(503, "{\"job_id\":\"j-1\"}");
    assertThat(submit(wire, reply).raw().seenRemoteId()).contains("j-1");
  }

  @ParameterizedTest
  @EnumSource
  void interimHeadThenSilence_isUnknown(Wire wire) throws IOException {
    try (RawServer http1 = new RawServer((_, socket) -> RawServer.write(socket, CONTINUE));
        RawH2Server http2 = new RawH2Server((r, peer) -> peer.head(r.streamId(), 100, false));
        ProviderAdapter adapter =
            made.open(wire == Wire.HTTP_2 ? http2.base("/x") : http1.base("/x"), wire.protocol())) {
      assertThat(adapter.submit(Adapters.submission(SOON)).verdict())
          .isEqualTo(new Verdict.Unknown("no answer: the answer deadline passed"));
      assertThat(http1.posts() + http2.posts()).isEqualTo(1);
    }
  }

  @Test
  void bodyUntilClose_isAcceptedWithADoubt() throws IOException {
    String answer = "HTTP/1.1 202 OK\r\n\r\n" + CREATED;
    assertThat(submit(answer, answer.length(), Then.FIN).verdict().toString())
        .contains(ID)
        .contains("cut? it ran until the peer closed");
  }

  @Test
  void answerCutAtEveryByteByFin_isAcceptedOnceItsIdIsWhole() throws IOException {
    cutAtEveryByte(RawServer.answer(202, CREATED), 0, Then.FIN);
  }

  @Test
  void answerCutAtEveryByteByRst_isAcceptedOnceItsIdIsWhole() throws IOException {
    cutAtEveryByte(RawServer.answer(202, CREATED), 0, Then.RST);
  }

  @Test
  void chunkedAnswerCutAtEveryByteByFin_isAcceptedOnceItsIdIsWhole() throws IOException {
    // "0" is already taken for the whole of the last chunk: what follows it says nothing
    cutAtEveryByte(chunked(CREATED) + "0\r\n\r\n", 4, Then.FIN);
  }

  private void cutAtEveryByte(String answer, int idle, Then then) throws IOException {
    int idWhole = answer.indexOf(ID) + ID.length() + 1;
    for (int n = 0; n <= answer.length(); n++) {
      SubmitResult result = submit(answer, n, then);
      Class<?> expected = n < idWhole ? Verdict.Unknown.class : Verdict.Accepted.class;
      assertThat(result.verdict()).as("cut after %d bytes", n).isInstanceOf(expected);
      if (result.verdict() instanceof Verdict.Accepted(String id, String note)) {
        assertThat(id).isEqualTo(ID);
        assertThat(note.isEmpty())
            .as("note after %d bytes: %s", n, note)
            .isEqualTo(n >= answer.length() - idle);
      }
    }
  }

  private void check(Wire wire, Row row) throws IOException {
    SubmitResult result = submit(wire, row.reply());
    String verdict = result.verdict().toString();
    String kind = row.verdict().split(" ", 2)[0];
    assertThat(result.verdict().getClass().getSimpleName()).as(verdict).isEqualTo(kind);
    if (row.verdict().contains(" ")) {
      assertThat(verdict).contains(row.verdict().split(" ", 2)[1]);
    }
  }

  /** One submit to a server that gives this reply, which sees it once. */
  private SubmitResult submit(Wire wire, Reply reply) throws IOException {
    try (Wire.Served server = wire.serve(reply);
        ProviderAdapter adapter = made.open(server.base(), wire.protocol())) {
      boolean waits = reply.then() == Then.SILENCE;
      SubmitResult result = adapter.submit(Adapters.submission(waits ? SOON : Adapters.PLENTY));
      assertThat(server.posts().getAsLong()).isEqualTo(1);
      assertThat(server.requests().getAsInt()).isEqualTo(1);
      return result;
    }
  }

  /** One submit to a server that answers with the first {@code n} bytes, which sees it once. */
  private SubmitResult submit(String answer, int n, Then then) throws IOException {
    try (RawServer server = new RawServer((_, s) -> answer(s, answer.substring(0, n), then));
        ProviderAdapter adapter = made.open(server.base("/blind"), Recourse.NONE)) {
      SubmitResult result = adapter.submit(Adapters.submission(Adapters.PLENTY));
      assertThat(server.posts()).isEqualTo(1);
      assertThat(server.requests()).hasSize(1);
      return result;
    }
  }

  private static boolean answer(Socket socket, String bytes, Then then) throws IOException {
    RawServer.write(socket, bytes);
    return then == Then.FIN ? RawServer.fin(socket) : RawServer.reset(socket);
  }

  private static Row refusal(int status, String verdict) {
    Reply reply = Reply.of(status, error("some_code"));
    return row(status + " in the provider's shape", reply, verdict);
  }

  private static Row row(String name, Reply reply, String verdict) {
    return new Row(name, reply, verdict);
  }

  private static String error(String code) {
    return "{\"error\":{\"code\":\"" + code + "\",\"message\":\"because\"}}";
  }

  private static String[] thousandFields() {
    String[] fields = new String[2000];
    for (int i = 0; i < fields.length; i += 2) {
      fields[i] = "X-A";
      fields[i + 1] = "b";
    }
    return fields;
  }

  /** The body in two chunks, without the last (empty) one. */
  private static String chunked(String body) {
    String first = body.substring(0, 20);
    String second = body.substring(20);
    return "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n"
        + Integer.toHexString(first.length())
        + "\r\n"
        + first
        + "\r\n"
        + Integer.toHexString(second.length())
        + "\r\n"
        + second
        + "\r\n";
  }
}
