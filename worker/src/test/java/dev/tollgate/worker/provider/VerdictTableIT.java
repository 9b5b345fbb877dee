package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The verdict table, row by row, over a real socket, and an answer cut at every one of its bytes.
 * Rows about connections that never came to be are in {@link NotSentIT}.
 *
 * <p>The client speaks HTTP/1.1 only, so the rows about HTTP/2 (GOAWAY, RST_STREAM) cannot occur.
 */
class VerdictTableIT {
  private static final Duration SOON = Duration.ofMillis(300);
  private static final String ID = "blind-7-abc";
  private static final String CREATED =
      "{\"id\":\"" + ID + "\",\"status\":\"queued\",\"created_at\":\"2026-01-02T03:04:05.678Z\"}";

  private enum Then {
    STAY,
    FIN,
    RST
  }

  /** What the server sends, what it does then, and what that means. */
  record Row(String name, String answer, Then then, String verdict) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> successes() {
    return Stream.of(
        row("202 whole", RawServer.answer(202, CREATED), Then.STAY, "Accepted " + ID),
        row("200 whole", RawServer.answer(200, CREATED), Then.STAY, "Accepted " + ID),
        row("202 chunked", chunked(CREATED) + "0\r\n\r\n", Then.STAY, "Accepted " + ID),
        row(
            "1xx first",
            "HTTP/1.1 103 Early\r\n\r\n" + RawServer.answer(202, CREATED),
            Then.STAY,
            "Accepted " + ID),
        row("until close", "HTTP/1.1 202 OK\r\n\r\n" + CREATED, Then.FIN, "Accepted cut"),
        row("without last chunk", chunked(CREATED), Then.FIN, "Accepted cut"),
        row("shorter than its length", announced(CREATED, 500), Then.FIN, "Accepted cut"),
        row("as before, reset", announced(CREATED, 500), Then.RST, "Accepted cut"),
        row("as before, silent", announced(CREATED, 500), Then.STAY, "Accepted cut"),
        row(
            "over the cap, id first",
            RawServer.answer(202, "{\"id\":\"" + ID + "\",\"x\":\"" + "y".repeat(40_000) + "\"}"),
            Then.STAY,
            "Accepted cut"),
        row(
            "over the cap, id last",
            RawServer.answer(202, "{\"x\":\"" + "y".repeat(40_000) + "\",\"id\":\"" + ID + "\"}"),
            Then.STAY,
            "Unknown 202"),
        row(
            "cut before the id",
            announced("{\"status\":\"queued\",", 500),
            Then.FIN,
            "Unknown cut"),
        row("not JSON", RawServer.answer(200, "OK"), Then.STAY, "Unknown not JSON"),
        row("HTML", RawServer.answer(200, "<html>id</html>"), Then.STAY, "Unknown not JSON"),
        row("empty", RawServer.answer(200, ""), Then.STAY, "Unknown empty"),
        row("null", RawServer.answer(200, "null"), Then.STAY, "Unknown no object"),
        row(
            "fc49 array",
            RawServer.answer(200, "[[\"wrb\",\"X\",null,null,null,[5],\"generic\"]]"),
            Then.STAY,
            "Unknown no object"),
        row("no id", RawServer.answer(202, "{\"status\":\"queued\"}"), Then.STAY, "Unknown no id"),
        row(
            "fc49 id null",
            RawServer.answer(202, "{\"id\":null}"),
            Then.STAY,
            "Unknown id is null"),
        row("id a number", RawServer.answer(202, "{\"id\":7}"), Then.STAY, "Unknown not a string"),
        row(
            "id an object",
            RawServer.answer(202, "{\"id\":{\"id\":\"x\"}}"),
            Then.STAY,
            "Unknown not a string"),
        row("id blank", RawServer.answer(202, "{\"id\":\" \"}"), Then.STAY, "Unknown unusable id"),
        row(
            "id with U+0000",
            RawServer.answer(202, "{\"id\":\"a\\u0000\"}"),
            Then.STAY,
            "Unknown unusable id"),
        row(
            "two ids",
            RawServer.answer(202, "{\"id\":\"a\",\"id\":\"b\"}"),
            Then.STAY,
            "Unknown two ids"),
        row(
            "rubbish behind the id",
            RawServer.answer(202, "{\"id\":\"a\"}<html>"),
            Then.STAY,
            "Unknown not JSON as a whole"),
        row("error object in 2xx", RawServer.answer(200, error("boom")), Then.STAY, "Unknown boom"),
        row("204", "HTTP/1.1 204 No Content\r\n\r\n", Then.STAY, "Unknown empty"),
        row(
            "gzip rubbish",
            RawServer.answer(202, "Content-Encoding: gzip\r\n", "\u001f\u008b\u0008\u0000ab"),
            Then.STAY,
            "Unknown not JSON"),
        row(
            "two lengths",
            RawServer.answer(202, "Content-Length: 7\r\n", CREATED),
            Then.STAY,
            "Unknown no answer"),
        row(
            "same header twice",
            RawServer.answer(202, "Content-Type: a/b\r\nContent-Type: c/d\r\n", CREATED),
            Then.STAY,
            "Accepted " + ID),
        row(
            "1000 headers",
            RawServer.answer(202, "X-A: b\r\n".repeat(1000), CREATED),
            Then.STAY,
            "Unknown no answer"));
  }

  static Stream<Row> refusals() {
    List<Row> rows = new ArrayList<>();
    for (int status : List.of(400, 404, 405, 413, 415, 422)) {
      rows.add(refusal(status, "Rejected PERMANENT"));
    }
    rows.add(refusal(401, "Rejected AUTH"));
    rows.add(refusal(403, "Rejected AUTH"));
    rows.add(refusal(402, "Rejected QUOTA"));
    for (int status : List.of(400, 401, 402, 403, 404, 405, 413, 415, 422, 429)) {
      String page = RawServer.answer(status, "<html>gateway</html>");
      rows.add(row(status + " of a gateway", page, Then.STAY, "Unknown shape"));
    }
    for (int status :
        List.of(
            406, 408, 409, 418, 425, 500, 501, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526,
            527, 529)) {
      rows.add(refusal(status, "Unknown not documented"));
    }
    for (int status : List.of(301, 302, 303, 307, 308)) {
      String redirect = RawServer.answer(status, "Location: /tasks\r\n", CREATED);
      rows.add(row(status + " redirect", redirect, Then.STAY, "Unknown redirect"));
    }
    rows.add(
        row(
            "fc52 409 key in use",
            RawServer.answer(409, error("idempotency_key_in_use")),
            Then.STAY,
            "Unknown still runs"));
    rows.add(
        row(
            "fc43 409 busy",
            RawServer.answer(409, "{\"detail\":\"Already running\"}"),
            Then.STAY,
            "Unknown shape"));
    rows.add(
        row(
            "422 key reused",
            RawServer.answer(422, error("idempotency_key_reused")),
            Then.STAY,
            "Rejected KEY_REUSED"));
    rows.add(
        row(
            "429 rate limited",
            RawServer.answer(429, "Retry-After: 7\r\n", error("rate_limited")),
            Then.STAY,
            "Throttled PT7S"));
    rows.add(
        row(
            "429 other code",
            RawServer.answer(429, error("too_many_tasks")),
            Then.STAY,
            "Unknown not documented"));
    rows.add(
        row(
            "422 cut",
            announced(error("bad_prompt").substring(0, 20), 60).replace("202", "422"),
            Then.FIN,
            "Unknown"));
    rows.add(
        row(
            "503 with an id",
            RawServer.answer(503, "{\"job_id\":\"j-1\"}"),
            Then.STAY,
            "Unknown with a task id"));
    rows.add(
        row(
            "429 with an id",
            RawServer.answer(429, "{\"id\":\"j-1\",\"error\":{\"code\":\"rate_limited\"}}"),
            Then.STAY,
            "Unknown with a task id"));
    return rows.stream();
  }

  @ParameterizedTest
  @MethodSource
  void successes(Row row) throws IOException {
    check(row);
  }

  @ParameterizedTest
  @MethodSource
  void refusals(Row row) throws IOException {
    check(row);
  }

  @Test
  void idInRefusal_isInTheEvidence() throws IOException {
    String answer = RawServer.answer(503, "{\"job_id\":\"j-1\"}");
    assertThat(submit(answer, answer.length(), Then.STAY).raw().seenRemoteId()).contains("j-1");
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

  private static void cutAtEveryByte(String answer, int idle, Then then) throws IOException {
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

  private static void check(Row row) throws IOException {
    SubmitResult result = submit(row.answer(), row.answer().length(), row.then());
    String verdict = result.verdict().toString();
    String kind = row.verdict().split(" ", 2)[0];
    assertThat(result.verdict().getClass().getSimpleName()).as(verdict).isEqualTo(kind);
    if (row.verdict().contains(" ")) {
      assertThat(verdict).contains(row.verdict().split(" ", 2)[1]);
    }
  }

  /** One submit to a server that answers with the first {@code n} bytes, which sees it once. */
  private static SubmitResult submit(String answer, int n, Then then) throws IOException {
    try (RawServer server = new RawServer((_, s) -> answer(s, answer.substring(0, n), then));
        TaskApiAdapter adapter = Adapters.open(server.base("/blind"), Recourse.NONE)) {
      boolean waits = then == Then.STAY && n == answer.length() && answer.contains(": 500\r\n");
      SubmitResult result = adapter.submit(Adapters.submission(waits ? SOON : Adapters.PLENTY));
      assertThat(server.posts()).isEqualTo(1);
      assertThat(server.requests()).hasSize(1);
      return result;
    }
  }

  private static boolean answer(Socket socket, String bytes, Then then) throws IOException {
    RawServer.write(socket, bytes);
    return switch (then) {
      case STAY -> true;
      case FIN -> RawServer.fin(socket);
      case RST -> RawServer.reset(socket);
    };
  }

  private static Row refusal(int status, String verdict) {
    String answer = RawServer.answer(status, error("some_code"));
    return row(status + " in the provider's shape", answer, Then.STAY, verdict);
  }

  private static Row row(String name, String answer, Then then, String verdict) {
    return new Row(name, answer, then, verdict);
  }

  private static String error(String code) {
    return "{\"error\":{\"code\":\"" + code + "\",\"message\":\"because\"}}";
  }

  private static String announced(String body, int length) {
    return "HTTP/1.1 202 Accepted\r\nContent-Length: " + length + "\r\n\r\n" + body;
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
