package dev.tollgate.worker.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tollgate.worker.output.MediaProbe.Probed;
import dev.tollgate.worker.output.MediaProbe.Probed.Passed;
import dev.tollgate.worker.output.MediaProbe.Probed.Refused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class MediaProbeTest {
  @TempDir Path folder = Path.of("");

  private Probed probe(byte[] content, String announced, String kind) throws IOException {
    Path file = Files.write(folder.resolve("file"), content);
    return MediaProbe.probe(file, Optional.of(announced).filter(type -> !type.isEmpty()), kind);
  }

  static Stream<Arguments> good() {
    return Stream.of(
        arguments(Media.movie("data"), "video/mp4", "movie: H.264 320x180"),
        arguments(Media.movie("data"), "video/quicktime", "movie: H.264 320x180"),
        arguments(Media.movie("data"), "", "movie: H.264 320x180"),
        arguments(Media.movie("data"), "application/octet-stream", "movie: H.264 320x180"),
        arguments(Media.movie("data"), "Video/MP4; codecs=avc1", "movie: H.264 320x180"),
        arguments(Media.sound("data"), "audio/mp4", "movie: MPEG-4, Advanced Audio Coding (AAC)"),
        arguments(Media.png(8, 9), "image/png", "image/png 8x9"),
        arguments(Media.jpeg(), "image/jpeg", "image/jpeg 32x16"),
        arguments(Media.jpeg(), "image/jpg", "image/jpeg 32x16"),
        arguments(Media.wav(100, 100), "audio/wav", "WAV, 2 channels, 48000 Hz"),
        arguments(Media.wav(-1, 100), "audio/x-wav", "WAV, 2 channels, 48000 Hz"),
        arguments(Media.mp3(), "audio/mpeg", "MP3"),
        arguments(
            Media.join(Media.ascii("ID3\4\0\0\0\0\0\5xxxxx"), Media.mp3()), "audio/mpeg", "MP3"),
        arguments(Media.webm("webm"), "video/webm", "WebM"),
        arguments(Media.webm("matroska"), "video/x-matroska", "Matroska"),
        arguments(Media.ascii("GIF89a and more"), "", "GIF, not looked into"),
        arguments(Media.ascii("who knows"), "", "of a type we do not know"),
        arguments(Media.ascii("who knows"), "video/x-own", "of a type we do not know"),
        arguments(Media.ascii("{"), "", "of a type we do not know"),
        arguments(Media.ascii("<svg></svg>"), "image/svg+xml", "of a type we do not know"),
        arguments(
            Media.ascii("<?xml version='1.0'?><svg/>"),
            "image/svg+xml",
            "of a type we do not know"),
        arguments(Media.ascii("{\"text\":1}"), "application/json", "of a type we do not know"));
  }

  @ParameterizedTest
  @MethodSource
  void good(byte[] content, String announced, String note) throws IOException {
    assertThat(probe(content, announced, "video"))
        .isInstanceOfSatisfying(Passed.class, p -> assertThat(p.note()).isEqualTo(note));
  }

  static Stream<Arguments> bad() {
    byte[] movie = Media.movie("data and more data");
    byte[] noSize = Media.track("vide", Media.picture(0, 180));
    return Stream.of(
        arguments(Media.ascii("<!DOCTYPE html><html>"), "video/mp4", "an HTML page"),
        arguments(Media.ascii("\n <html lang=en>"), "", "an HTML page"),
        arguments(Media.ascii("<?xml version='1.0'?><Error>"), "", "an XML document"),
        arguments(Media.ascii("<Error><Code>NoSuchKey"), "image/png", "an XML document"),
        arguments(Media.ascii("{\"error\":\"expired\"}"), "", "a JSON document"),
        arguments(Media.ascii("[{\"error\":1}]"), "audio/mpeg", "a JSON document"),
        arguments(Media.ascii("who knows"), "video/mp4", "by its head it is"),
        arguments(Media.png(8, 9), "video/mp4", "announced as video/mp4; by its head it is PNG"),
        arguments(movie, "image/png", "announced as image/png"),
        arguments(Media.webm("webm"), "video/mp4", "announced as video/mp4"),
        arguments(Media.join(Media.brand(), Media.mdat("data")), "video/mp4", "no moov"),
        arguments(
            Media.join(Media.brand(), Media.box("moov", Media.header())), "video/mp4", "no mdat"),
        arguments(
            Media.join(Media.brand(), Media.box("moov", Media.header()), Media.mdat("x")),
            "",
            "without a picture and without a sound"),
        arguments(
            Media.join(Media.brand(), Media.box("moov", Media.header(), noSize), Media.mdat("x")),
            "",
            "no size"),
        arguments(Arrays.copyOf(movie, movie.length - 1), "video/mp4", "cut"),
        arguments(Media.png(0, 9), "image/png", "without a size"),
        arguments(Arrays.copyOf(Media.png(8, 9), 60), "image/png", "cut"),
        arguments(Arrays.copyOf(Media.jpeg(), 25), "image/jpeg", "cut"),
        arguments(Media.wav(100, 50), "audio/wav", "cut"),
        arguments(Media.ascii("RIFF\0\0\0\0WAVEfmt "), "audio/wav", "without a format"),
        arguments(Arrays.copyOf(Media.webm("webm"), 12), "video/webm", "a WebM without a segment"));
  }

  @ParameterizedTest
  @MethodSource
  void bad(byte[] content, String announced, String why) throws IOException {
    assertThat(probe(content, announced, "video"))
        .isInstanceOfSatisfying(Refused.class, r -> assertThat(r.why()).contains(why));
  }

  @Test
  void textOutput_mayBeText() throws IOException {
    assertThat(probe(Media.ascii("{\"words\":[]}"), "", "transcript")).isInstanceOf(Passed.class);
  }

  /** Wherever it is cut, it is found out; and wherever a length lies, nothing is made room for. */
  @Test
  void movieCutAnywhere_isRefused() throws IOException {
    byte[] movie = Media.movie("data");
    for (int length = 24; length < movie.length; length++) {
      assertThat(probe(Arrays.copyOf(movie, length), "video/mp4", "video"))
          .as("cut at %d", length)
          .isInstanceOf(Refused.class);
    }
  }

  @Test
  void movieWithAnyLengthThatLies_endsTheProbe() throws IOException {
    byte[] movie = Media.movie("data");
    SplittableRandom random = new SplittableRandom(7);
    for (int at = 0; at + 4 <= movie.length; at++) {
      byte[] liar = movie.clone();
      for (int lie : new int[] {0, 1, 7, 8, 0x7fffffff, -1, random.nextInt()}) {
        ByteBuffer.wrap(liar).putInt(at, lie);
        assertThat(probe(liar, "", "video")).as("%d at %d", lie, at).isNotNull();
      }
    }
  }
}
