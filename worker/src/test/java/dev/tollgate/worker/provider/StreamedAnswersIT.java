package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.stream.StreamEvent;
import dev.tollgate.worker.provider.stream.StreamReader;
import dev.tollgate.worker.provider.stream.StreamResult;
import dev.tollgate.worker.provider.stream.Streams;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Answers that are streams, over real sockets: what ends one, and what only breaks it off. */
class StreamedAnswersIT {
  private static final Descriptor CHAT = Adapters.descriptor("openai-chat", "", "");
  private static final Descriptor RESPONSES = Adapters.descriptor("openai-responses", "", "");
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n";
  private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n";
  private static final String DONE = "data: [DONE]\n\n";

  private final List<StreamEvent> events = new ArrayList<>();
  private final List<SubmitResult> accepted = new ArrayList<>();

  private static String delta(String text) {
    return "data: {\"id\":\"chatcmpl-1\",\"choices\":[{\"delta\":{\"content\":\""
        + text
        + "\"}}]}\n\n";
  }

  private static String finished(String reason) {
    return "data: {\"id\":\"chatcmpl-1\",\"choices\":[{\"delta\":{},\"finish_reason\":\""
        + reason
        + "\"}]}\n\n";
  }

  private static String response(int number, String more) {
    return "event: whatever\ndata: {\"sequence_number\":" + number + "," + more + "}\n\n";
  }

  private static void send(Socket socket, byte[] bytes) throws IOException {
    String size = Integer.toHexString(bytes.length) + "\r\n";
    socket.getOutputStream().write(size.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().write("\r\n".getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  private static void send(Socket socket, String text) throws IOException {
    send(socket, text.getBytes(StandardCharsets.UTF_8));
  }

  private StreamReader collecting() {
    return new StreamReader() {
      @Override
      public boolean accepted(SubmitResult result) {
        accepted.add(result);
        return true;
      }

      @Override
      public boolean event(StreamEvent event) {
        events.add(event);
        return true;
      }
    };
  }

  private StreamResult open(Descriptor descriptor, RawServer.Script script) throws IOException {
    events.clear();
    accepted.clear();
    try (RawServer server = new RawServer(script);
        ProviderAdapter adapter =
            Adapters.described(descriptor, server.base(""), Recourse.NONE, Adapters.NOWHERE)) {
      StreamResult result =
          adapter.streams().orElseThrow().open(submission(Duration.ofSeconds(2)), collecting());
      assertThat(server.posts()).isEqualTo(1);
      return result;
    }
  }

  private static Submission submission(Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    return new Submission(
        "text:" + "0".repeat(64),
        Bytes.utf8("{\"model\":\"m\",\"prompt\":\"hi\"}"),
        Adapters.SUBMISSION_KEY,
        until,
        until);
  }

  private StreamResult chat(String... pieces) throws IOException {
    return open(
        CHAT,
        (_, socket) -> {
          RawServer.write(socket, CHUNKED);
          for (String piece : pieces) {
            send(socket, piece);
          }
          return RawServer.fin(socket);
        });
  }

  private List<String> texts() {
    return events.stream().flatMap(event -> event.text().stream()).map(Bytes::toUtf8).toList();
  }

  private Optional<End> end() {
    return events.isEmpty() ? Optional.empty() : events.getLast().end();
  }

  @Test
  void fc77_lastWordWithoutTheLastChunk_isTheEnd() throws IOException {
    assertThat(chat(delta("a"), delta("b"), finished("stop"), DONE))
        .isEqualTo(new StreamResult.Ended("stop"));
    assertThat(texts()).containsExactly("\"a\"", "\"b\"");
    assertThat(end()).contains(End.SUCCEEDED);
    assertThat(accepted)
        .singleElement()
        .extracting(SubmitResult::verdict)
        .isEqualTo(new Verdict.Accepted("chatcmpl-1", "a stream"));
    assertThat(accepted.getFirst().raw().body().toUtf8()).contains("\"content\":\"a\"");
  }

  @Test
  void fc77_lastWordWithoutItsEmptyLine_isTheEnd() throws IOException {
    assertThat(chat(delta("a"), "data: [DONE]\n")).isInstanceOf(StreamResult.Ended.class);
  }

  @Test
  void fc76_threeDeltasAndNoMore_isCut_whatCameIsThere() throws IOException {
    assertThat(chat(delta("a"), delta("b"), delta("c"))).isInstanceOf(StreamResult.Cut.class);
    assertThat(texts()).hasSize(3);
    assertThat(end()).isEmpty();
  }

  @Test
  void fc76_endsWellByItsFraming_withoutALastWord_isCut() throws IOException {
    assertThat(
            open(
                CHAT,
                (_, socket) -> {
                  String body = delta("a");
                  RawServer.write(
                      socket, HEAD + "Content-Length: " + body.length() + "\r\n\r\n" + body);
                  return true;
                }))
        .isInstanceOf(StreamResult.Cut.class);
  }

  @Test
  void fc76_nothingAtAll_isUnknown() throws IOException {
    assertThat(chat())
        .isInstanceOfSatisfying(
            StreamResult.NotAccepted.class,
            refused -> assertThat(refused.result().verdict()).isInstanceOf(Verdict.Unknown.class));
  }

  @Test
  void fc76_errorInTheMiddle_isCut() throws IOException {
    assertThat(chat(delta("a"), "event: error\ndata: {\"error\":{\"type\":\"server_error\"}}\n\n"))
        .isInstanceOfSatisfying(
            StreamResult.Cut.class, cut -> assertThat(cut.why()).contains("error"));
    assertThat(events).hasSize(1);
  }

  @Test
  void fc76_length_isTheEndWithItsReason() throws IOException {
    assertThat(chat(delta("a"), finished("length"), DONE))
        .isEqualTo(new StreamResult.Ended("length"));
  }

  @Test
  void fc81_brokenFrameInTheMiddle_isCutThere() throws IOException {
    assertThat(chat(delta("a"), "data: {\"delta\":\"ab\n\n", delta("b"), DONE))
        .isInstanceOfSatisfying(
            StreamResult.Cut.class, cut -> assertThat(cut.why()).contains("no JSON"));
    assertThat(texts()).containsExactly("\"a\"");
  }

  @Test
  void fc81_characterSplitOverTwoSegments_isRight_overTwoLinesIsNone() throws IOException {
    byte[] event = delta("caf\u00e9").getBytes(StandardCharsets.UTF_8);
    int middle = new String(event, StandardCharsets.ISO_8859_1).indexOf('\u00c3') + 1;
    assertThat(
            open(
                CHAT,
                (_, socket) -> {
                  RawServer.write(socket, CHUNKED);
                  send(socket, Arrays.copyOf(event, middle));
                  send(socket, Arrays.copyOfRange(event, middle, event.length));
                  send(socket, DONE);
                  return RawServer.fin(socket);
                }))
        .isInstanceOf(StreamResult.Ended.class);
    assertThat(texts()).containsExactly("\"caf\u00e9\"");
    assertThat(
            chat(
                "data: {\"id\":\"c\",\ndata: \"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n",
                DONE))
        .isInstanceOf(StreamResult.Ended.class);
    assertThat(texts()).containsExactly("\"x\"");
    assertThat(
            open(
                CHAT,
                (_, socket) -> {
                  RawServer.write(socket, CHUNKED);
                  send(socket, delta("a"));
                  send(socket, Arrays.copyOf(event, middle));
                  send(socket, "\ndata: ");
                  send(socket, Arrays.copyOfRange(event, middle, event.length));
                  return RawServer.fin(socket);
                }))
        .isInstanceOf(StreamResult.Cut.class);
  }

  @Test
  void anyText_survives_credentialsDoNot() throws IOException {
    chat(delta("\\u0000\\ud83d"), delta("\\ude00 1.50"), delta(Adapters.API_KEY), DONE);
    assertThat(texts()).startsWith("\"\\u0000\\ud83d\"", "\"\\ude00 1.50\"");
    assertThat(events.get(0).data().toUtf8()).contains("\\u0000\\ud83d");
    assertThat(events).noneMatch(event -> event.data().toUtf8().contains(Adapters.API_KEY));
    assertThat(texts()).hasSize(3).noneMatch(text -> text.contains(Adapters.API_KEY));
  }

  @Test
  void lastWordTwice_andWhatComesBehindIt_countsOnce() throws IOException {
    assertThat(chat(delta("a"), DONE, DONE, delta("b"), DONE))
        .isInstanceOf(StreamResult.Ended.class);
    assertThat(events).hasSize(2);
  }

  @Test
  void signsOfLifeBehindTheLastWord_holdNothingBack() throws IOException {
    assertThat(
            open(
                CHAT,
                (_, socket) -> {
                  RawServer.write(socket, CHUNKED);
                  send(socket, delta("a") + DONE);
                  for (int i = 0; i < 1_000_000; i++) {
                    send(socket, ": still here\n\n");
                  }
                  throw new AssertionError("read on for ever");
                }))
        .isInstanceOf(StreamResult.Ended.class);
  }

  @Test
  void eventOfAnotherTask_breaksItOff() throws IOException {
    assertThat(chat(delta("a"), delta("b").replace("chatcmpl-1", "chatcmpl-2"), DONE))
        .isInstanceOf(StreamResult.Cut.class);
    assertThat(texts()).containsExactly("\"a\"");
  }

  @Test
  void partWithoutAUsableNumber_breaksItOff_aSignOfLifeDoesNot() throws IOException {
    for (String number : List.of("null", "18446744073709551616", "\"2\"", "1.5")) {
      StreamResult result =
          open(
              RESPONSES,
              (_, socket) -> {
                RawServer.write(socket, CHUNKED);
                send(socket, response(0, "\"response\":{\"id\":\"resp_1\"}"));
                send(socket, "data: {\"type\":\"keepalive\"}\n\n");
                send(
                    socket,
                    "data: {\"type\":\"response.output_text.delta\",\"delta\":\"x\",\"sequence_number\":%s}\n\n"
                        .formatted(number));
                send(socket, response(2, "\"type\":\"response.completed\""));
                return RawServer.fin(socket);
              });
      assertThat(result).as(number).isInstanceOf(StreamResult.Cut.class);
      assertThat(events).hasSize(1);
    }
  }

  @Test
  void refusalsAndErrors_areJudgedAsElsewhere() throws IOException {
    StreamResult result =
        open(
            CHAT,
            (_, socket) ->
                RawServer.write(
                    socket,
                    RawServer.answer(
                        429,
                        "{\"error\":{\"code\":\"rate_limit_exceeded\",\"type\":\"requests\"}}")));
    assertThat(((StreamResult.NotAccepted) result).result().verdict())
        .isInstanceOf(Verdict.Throttled.class);
    assertThat(accepted).isEmpty();
  }

  @Test
  void anAnswerThatIsNoStream_isAcceptedAndCut() throws IOException {
    assertThat(
            open(
                CHAT,
                (_, socket) ->
                    RawServer.write(socket, RawServer.answer(200, "{\"id\":\"chatcmpl-1\"}"))))
        .isInstanceOf(StreamResult.Cut.class);
    assertThat(accepted).hasSize(1);
  }

  @Test
  void silenceAfterTheFirstEvent_outlastsTheSubmitDeadline_untilItsOwnPatience()
      throws IOException {
    Descriptor quick =
        Adapters.descriptor("openai-chat", "done: \"[DONE]\"", "done: \"[DONE]\"\n    idle: 3s");
    long began = System.nanoTime();
    StreamResult result =
        open(
            quick,
            (_, socket) -> {
              RawServer.write(socket, CHUNKED);
              send(socket, delta("a"));
              return RawServer.hang();
            });
    long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    assertThat(result).isInstanceOf(StreamResult.Cut.class);
    assertThat(waited).isBetween(2_900L, Adapters.PLENTY.toMillis());
    assertThat(accepted).hasSize(1);
  }

  @Test
  void silenceBeforeTheFirstEvent_isUnknownAtTheSubmitDeadline() throws IOException {
    Submission soon = submission(Duration.ofSeconds(1));
    try (RawServer server =
            new RawServer(
                (_, socket) -> {
                  RawServer.write(socket, CHUNKED);
                  send(socket, ": sign of life\n\n");
                  return RawServer.hang();
                });
        ProviderAdapter adapter =
            Adapters.described(CHAT, server.base(""), Recourse.NONE, Adapters.NOWHERE)) {
      StreamResult result = adapter.streams().orElseThrow().open(soon, collecting());
      assertThat(((StreamResult.NotAccepted) result).result().verdict())
          .isInstanceOf(Verdict.Unknown.class);
    }
  }

  @Test
  void resume_asksForWhatIsBehindTheCursor() throws IOException {
    try (RawServer server =
            new RawServer(
                (request, socket) -> {
                  if (request.line().contains("gone")) {
                    return RawServer.write(
                        socket, RawServer.answer(404, "{\"error\":{\"code\":\"not_found\"}}"));
                  }
                  RawServer.write(socket, CHUNKED);
                  send(
                      socket,
                      response(10, "\"type\":\"response.output_text.delta\",\"delta\":\"b\""));
                  send(socket, "data: {\"type\":\"keepalive\"}\n\n");
                  send(
                      socket,
                      response(
                          11, "\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\"}"));
                  return RawServer.fin(socket);
                });
        ProviderAdapter adapter =
            Adapters.described(RESPONSES, server.base(""), Recourse.NONE, Adapters.NOWHERE)) {
      Streams streams = adapter.streams().orElseThrow();
      assertThat(streams.resumable()).isTrue();
      assertThat(streams.resume("resp_1", OptionalLong.of(9), collecting()))
          .isInstanceOf(StreamResult.Ended.class);
      assertThat(server.requests().getFirst().line())
          .isEqualTo("GET /responses/resp_1?stream=true&starting_after=9 HTTP/1.1");
      assertThat(events)
          .extracting(StreamEvent::cursor)
          .as("what has no number is not part of the output")
          .containsExactly(OptionalLong.of(10), OptionalLong.of(11));
      assertThat(streams.resume("resp_1", OptionalLong.empty(), collecting()))
          .isInstanceOf(StreamResult.Ended.class);
      assertThat(server.requests().getLast().line())
          .isEqualTo("GET /responses/resp_1?stream=true HTTP/1.1");
      assertThat(streams.resume("resp_1-foreign", OptionalLong.of(9), collecting()))
          .as("the answer speaks of another task")
          .isInstanceOf(StreamResult.Cut.class);
      assertThat(streams.resume("gone", OptionalLong.of(9), collecting()))
          .isInstanceOf(StreamResult.Missing.class);
    }
  }
}
