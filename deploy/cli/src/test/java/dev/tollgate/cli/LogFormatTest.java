package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LogFormatTest {
  @Test
  void format_isWhatIsSaid_elseJsonWhereNobodyLooks() {
    assertThat(LogFormat.of("text", null)).contains(LogFormat.TEXT);
    assertThat(LogFormat.of(" JSON ", null)).contains(LogFormat.JSON);
    assertThat(LogFormat.of(null, null)).contains(LogFormat.JSON);
    assertThat(LogFormat.of("", null)).contains(LogFormat.JSON);
    assertThat(LogFormat.of("xml", null)).isEmpty();
  }
}
