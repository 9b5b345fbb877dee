package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ShownTest {
  @Test
  void line_lettersStay_whatSteersATerminalDoesNot() {
    assertThat(Shown.line("Z\u00fcrich \u6771\u4eac")).isEqualTo("Z\u00fcrich \u6771\u4eac");
    assertThat(Shown.line("a\u001b[2Jb\nc\u202ed")).isEqualTo("a?[2Jb?c?d");
    assertThat(Shown.line(null)).isEqualTo("-");
    assertThat(Shown.line("")).isEqualTo("-");
  }

  @Test
  void bytes_textAsText_everythingElseInHexadecimal() {
    assertThat(Shown.bytes("{\"a\":1}\n".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("{\"a\":1}\n");
    assertThat(Shown.bytes(new byte[] {(byte) 0xff, 0})).isEqualTo("0xff00");
    assertThat(Shown.bytes(new byte[] {0x1b, '['})).isEqualTo("0x1b5b");
    assertThat(Shown.bytes(null)).isEqualTo("(none)");
  }
}
