package dev.tollgate.worker.provider;

import static dev.tollgate.worker.provider.http.RawH2Server.CANCEL;
import static dev.tollgate.worker.provider.http.RawH2Server.INTERNAL_ERROR;
import static dev.tollgate.worker.provider.http.RawH2Server.NO_ERROR;
import static dev.tollgate.worker.provider.http.RawH2Server.PROTOCOL_ERROR;
import static dev.tollgate.worker.provider.http.RawH2Server.REFUSED_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.http.H2Peer;
import dev.tollgate.worker.provider.http.HttpProtocol;
import dev.tollgate.worker.provider.http.RawH2Server;
import dev.tollgate.worker.provider.http.RawH2Server.Script;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rows of the verdict table that only HTTP/2 has, and a created answer cut at every byte of its
 * body. What both protocols have is in {@link VerdictTableIT}.
 */
@ParameterizedClass
@EnumSource(Made.class)
class Http2VerdictIT {
  @Parameter Made made = Made.BY_DESCRIPTOR;

  private static final String ID = "blind-7-abc";
  private static final String CREATED =
      "{\"id\":\"" + ID + "\",\"status\":\"queued\",\"created_at\":\"2026-01-02T03:04:05.678Z\"}";
  private static final String TO_COME = "{\"id\":\"" + ID + "\",";
  private static final int HIGHEST = Integer.MAX_VALUE;

  /** What the server does with stream 1, and what that means: a verdict and a part of its text. */
  record Row(String name, Script script, String verdict) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> disclaimed() {
    return Stream.of(
        row("fc39 REFUSED_STREAM", (_, p) -> p.reset(1, REFUSED_STREAM), "NotSent REFUSED_STREAM"),
        row("GOAWAY below ours", (_, p) -> p.goAway(0, NO_ERROR), "NotSent above its last, 0"),
        row(
            "GOAWAY below ours, with an error",
            (_, p) -> p.goAway(0, INTERNAL_ERROR),
            "NotSent GOAWAY INTERNAL_ERROR"),
        row(
            "GOAWAY below ours, then FIN",
            (_, p) -> {
              p.goAway(0, NO_ERROR);
              p.fin();
            },
            "NotSent above its last"),
        row(
            "GOAWAY in two steps",
            (_, p) -> {
              p.goAway(HIGHEST, NO_ERROR);
              p.goAway(0, NO_ERROR);
            },
            "NotSent above its last"));
  }

  static Stream<Row> undecided() {
    Stream<Row> codes =
        IntStream.concat(IntStream.rangeClosed(0, 13), IntStream.of(99, -1))
            .filter(code -> code != REFUSED_STREAM)
            .mapToObj(
                code -> row("RST_STREAM " + code, (_, p) -> p.reset(1, code), "Unknown the peer"));
    Stream<Row> others =
        Stream.of(
            row("fc39 CANCEL", (_, p) -> p.reset(1, CANCEL), "Unknown CANCEL"),
            row("INTERNAL_ERROR", (_, p) -> p.reset(1, INTERNAL_ERROR), "Unknown INTERNAL_ERROR"),
            row(
                "GOAWAY covering ours, then FIN",
                (_, p) -> {
                  p.goAway(1, NO_ERROR);
                  p.fin();
                },
                "Unknown closed"),
            row(
                "GOAWAY covering ours with an error, then RST",
                (_, p) -> {
                  p.goAway(1, INTERNAL_ERROR);
                  p.rst();
                },
                "Unknown no answer"),
            row("FIN", (_, p) -> p.fin(), "Unknown closed"),
            row("RST", (_, p) -> p.rst(), "Unknown no answer"),
            row(
                "interim head, then REFUSED_STREAM",
                (_, p) -> {
                  p.head(1, 103, false);
                  p.reset(1, REFUSED_STREAM);
                },
                "Unknown REFUSED_STREAM"),
            row(
                "interim head, then GOAWAY below ours",
                (_, p) -> {
                  p.head(1, 100, false);
                  p.goAway(0, NO_ERROR);
                },
                "Unknown above its last"),
            row(
                "head, then CANCEL",
                (_, p) -> {
                  p.head(1, 202, false);
                  p.reset(1, CANCEL);
                },
                "Unknown cut"),
            row("END_STREAM with the head", (_, p) -> p.head(1, 202, true), "Unknown empty"));
    return Stream.concat(codes, others);
  }

  static Stream<Row> broken() {
    return Stream.of(
        row("body before its head", (_, p) -> p.data(1, CREATED, true), "Unknown malformed"),
        row("head without a status", (_, p) -> p.trailers(1, true), "Unknown malformed"),
        row(
            "upper case",
            (_, p) -> p.head(1, 202, false, "X-Upper", "case"),
            "Unknown not in lower case"),
        row(
            "status after a field",
            (_, p) -> p.trailers(1, false, "a", "b", ":status", "202"),
            "Unknown pseudo"),
        row("status of one digit", (_, p) -> p.head(1, 2, true), "Unknown unusable status"),
        row("101", (_, p) -> p.head(1, 101, false), "Unknown interim"),
        row("push", (_, p) -> p.frame(0x5, 0x4, 1, new byte[4]), "Unknown not allowed"),
        row("answer nobody asked for", (_, p) -> p.head(3, 202, true), "Unknown nobody opened"),
        row("stream of the server's", (_, p) -> p.head(2, 202, true), "Unknown nobody opened"),
        row("frame too long", (_, p) -> p.partOfData(1, 16_385, ""), "Unknown FRAME_SIZE_ERROR"),
        row("window too large", (_, p) -> p.windowUpdate(0, HIGHEST), "Unknown FLOW_CONTROL"),
        row("window of the stream", (_, p) -> p.windowUpdate(1, HIGHEST), "Unknown window"),
        row("no increment", (_, p) -> p.windowUpdate(1, 0), "Unknown does not grow"),
        row("setting out of range", (_, p) -> p.settings(0x5, 100), "Unknown range"),
        row("initial window", (_, p) -> p.settings(0x4, -1), "Unknown FLOW_CONTROL_ERROR"),
        row("settings of a wrong size", (_, p) -> p.frame(0x4, 0, 0, new byte[5]), "Unknown fit"),
        row("header block in pieces", (_, p) -> p.frame(0x9, 0x4, 1, new byte[0]), "Unknown"),
        row(
            "not HPACK",
            (_, p) -> p.frame(0x1, 0x5, 1, new byte[] {-1, -1}),
            "Unknown COMPRESSION"),
        row(
            "padding too long",
            (_, p) -> p.frame(0x0, 0x8, 1, new byte[] {9, 1}),
            "Unknown padding"),
        row(
            "header block without an end",
            (_, p) -> {
              p.frame(0x1, 0, 1, new byte[0]);
              for (int i = 0; i < 100; i++) {
                p.frame(0x9, 0, 1, new byte[0]);
              }
            },
            "Unknown does not go on"),
        row(
            "header block that is huge",
            (_, p) -> {
              p.frame(0x1, 0, 1, new byte[0]);
              for (int i = 0; i < 5; i++) {
                p.frame(0x9, 0, 1, new byte[16_000]);
              }
            },
            "Unknown ENHANCE_YOUR_CALM"),
        row("bytes", (_, p) -> p.write(new byte[64]), "Unknown no answer"),
        row(
            "more than announced",
            (_, p) -> {
              p.head(1, 202, false, "content-length", "5");
              p.data(1, CREATED, true);
            },
            "Accepted longer than its content-length"),
        row(
            "less than announced",
            (_, p) -> {
              p.head(1, 202, false, "content-length", "500");
              p.data(1, CREATED, true);
            },
            "Accepted shorter than its content-length"));
  }

  static Stream<Row> accepted() {
    return Stream.of(
        row(
            "GOAWAY covering ours, then the answer",
            (_, p) -> {
              p.goAway(1, NO_ERROR);
              p.answer(1, 202, CREATED);
            },
            "Accepted note="),
        row(
            "whole, then NO_ERROR",
            (_, p) -> {
              p.answer(1, 202, CREATED);
              p.reset(1, NO_ERROR);
            },
            "Accepted note="),
        row("trailers", Http2VerdictIT::withTrailers, "Accepted note="),
        row("head in several frames", Http2VerdictIT::withLongHead, "Accepted note="),
        row("padding", Http2VerdictIT::withPadding, "Accepted note="),
        row(
            "frames of every other kind between",
            (_, p) -> {
              p.settings(0x3, 100, 0x4, 1000, 0x1, 0, 0x77, 5);
              p.head(1, 202, false);
              p.frame(0x6, 0, 0, new byte[8]);
              p.frame(0x2, 0, 1, new byte[5]);
              p.frame(0x77, 0xff, 1, new byte[50]);
              p.windowUpdate(0, 1);
              p.data(1, "", false);
              p.data(1, CREATED, true);
            },
            "Accepted note="),
        row(
            "the id, then CANCEL",
            (_, p) -> {
              p.head(1, 202, false);
              p.data(1, TO_COME, false);
              p.reset(1, CANCEL);
            },
            "Accepted cut: the peer reset the stream: CANCEL"),
        row(
            "the id, then REFUSED_STREAM, which it cannot mean",
            (_, p) -> {
              p.head(1, 202, false);
              p.data(1, TO_COME, false);
              p.reset(1, REFUSED_STREAM);
            },
            "Accepted cut"),
        row(
            "the id, then GOAWAY below ours",
            (_, p) -> {
              p.head(1, 202, false);
              p.data(1, TO_COME, false);
              p.goAway(0, PROTOCOL_ERROR);
            },
            "Accepted cut"),
        row(
            "trailers without an end",
            (_, p) -> {
              p.head(1, 202, false);
              p.data(1, CREATED, false);
              p.trailers(1, false, "x-sum", "1");
            },
            "Accepted cut"));
  }

  @ParameterizedTest
  @MethodSource({"disclaimed", "undecided", "broken", "accepted"})
  void oneStream(Row row) throws IOException {
    try (RawH2Server server = new RawH2Server(row.script());
        ProviderAdapter adapter = made.open(server.base("/blind"), HttpProtocol.HTTP_2)) {
      SubmitResult result = adapter.submit(Adapters.submission(Adapters.PLENTY));

      String[] expected = row.verdict().split(" ", 2);
      String verdict = result.verdict().toString();
      assertThat(result.verdict().getClass().getSimpleName()).as(verdict).isEqualTo(expected[0]);
      assertThat(verdict).contains(expected.length > 1 ? expected[1] : "");
      assertThat(result.raw().firstByteSent()).isTrue();
      assertThat(server.posts()).isEqualTo(1);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  /** The third variant: our stream is 3, and the peer's last is 1. */
  @Test
  void fc39_goAwayOfOneWhileOursIsThree_isNotSent() throws IOException {
    Script script =
        (request, peer) -> {
          if (request.streamId() == 1) {
            peer.answer(1, 202, CREATED);
          } else {
            peer.goAway(1, NO_ERROR);
          }
        };
    try (RawH2Server server = new RawH2Server(script);
        ProviderAdapter adapter = made.open(server.base("/blind"), HttpProtocol.HTTP_2)) {
      adapter.submit(Adapters.submission(Adapters.PLENTY));
      SubmitResult result = adapter.submit(Adapters.submission(Adapters.PLENTY));

      assertThat(result.verdict()).isInstanceOf(Verdict.NotSent.class);
      assertThat(result.verdict().toString()).contains("stream 3 is above its last, 1");
      assertThat(result.raw().firstByteSent()).isTrue();
      assertThat(server.posts()).isEqualTo(2);
    }
  }

  enum Cut {
    RST_STREAM {
      @Override
      void after(H2Peer peer, int n) throws IOException {
        peer.data(1, CREATED.substring(0, n), false);
        peer.reset(1, CANCEL);
      }
    },
    FIN {
      @Override
      void after(H2Peer peer, int n) throws IOException {
        peer.data(1, CREATED.substring(0, n), false);
        peer.fin();
      }
    },
    FIN_WITHIN_THE_FRAME {
      @Override
      void after(H2Peer peer, int n) throws IOException {
        peer.partOfData(1, CREATED.length() + 1, CREATED.substring(0, n));
        peer.fin();
      }
    },
    RST_WITHIN_THE_FRAME {
      @Override
      void after(H2Peer peer, int n) throws IOException {
        peer.partOfData(1, CREATED.length() + 1, CREATED.substring(0, n));
        peer.rst();
      }
    };

    abstract void after(H2Peer peer, int n) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void bodyCutAtEveryByte_isAcceptedOnceItsIdIsWhole(Cut cut) throws IOException {
    int idWhole = CREATED.indexOf(ID) + ID.length() + 1;
    for (int n = 0; n <= CREATED.length(); n++) {
      int bytes = n;
      Script script =
          (_, peer) -> {
            peer.head(1, 202, false);
            cut.after(peer, bytes);
          };
      try (RawH2Server server = new RawH2Server(script);
          ProviderAdapter adapter = made.open(server.base("/blind"), HttpProtocol.HTTP_2)) {
        SubmitResult result = adapter.submit(Adapters.submission(Adapters.PLENTY));
        String verdict = result.verdict().toString();
        Class<?> expected = n < idWhole ? Verdict.Unknown.class : Verdict.Accepted.class;
        assertThat(result.verdict())
            .as("cut after %d bytes: %s", n, verdict)
            .isInstanceOf(expected);
        assertThat(verdict).contains("cut");
        assertThat(result.raw().truncated()).isTrue();
        assertThat(server.posts()).isEqualTo(1);
      }
    }
  }

  private static void withTrailers(RawH2Server.Request request, H2Peer peer) throws IOException {
    peer.head(1, 202, false);
    peer.data(1, CREATED, false);
    peer.trailers(1, true, "x-sum", Integer.toString(request.number()));
  }

  private static void withLongHead(RawH2Server.Request request, H2Peer peer) throws IOException {
    String[] fields = new String[240];
    Arrays.fill(fields, "x".repeat(100 + request.number()));
    peer.head(1, 202, false, fields);
    peer.data(1, CREATED, true);
  }

  private static void withPadding(RawH2Server.Request request, H2Peer peer) throws IOException {
    peer.head(1, 202, false, "content-length", Integer.toString(CREATED.length()));
    peer.padded(1, CREATED.substring(0, 9), 255, false);
    peer.padded(1, CREATED.substring(9), request.number(), true);
  }

  private static Row row(String name, Script script, String verdict) {
    return new Row(name, script, verdict);
  }
}
