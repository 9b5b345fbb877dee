package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsTest {
  private static final String FIRST = "first-secret-0001";
  private static final String SECOND = "second-secret-0002";

  @TempDir Path folder;
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1); // the clock may wrap

  private Credentials open(String reference) {
    return Credentials.open(
        "p", Map.of("api-key", reference), name -> name.equals("KEY") ? FIRST : null, nanos::get);
  }

  @Test
  void environment_isRead() {
    assertThat(open("env:KEY").get("api-key").reveal()).isEqualTo(FIRST);
  }

  @Test
  void file_isReadAgain_whenItChanged_andBothAreRedacted() throws IOException {
    Path file = Files.writeString(folder.resolve("key"), FIRST + "\n");
    Credentials credentials = open("file:" + file);
    assertThat(credentials.get("api-key").reveal()).isEqualTo(FIRST);
    Files.writeString(file, SECOND);
    assertThat(credentials.get("api-key").reveal()).as("not looked at again yet").isEqualTo(FIRST);
    nanos.addAndGet(2_000_000_000L);
    assertThat(credentials.get("api-key").reveal()).isEqualTo(SECOND);
    assertThat(credentials.redactor().redact(FIRST + " " + SECOND))
        .isEqualTo("[redacted] [redacted]");
  }

  @Test
  void fileThatWentAway_leavesTheLastOneInUse() throws IOException {
    Path file = Files.writeString(folder.resolve("key"), FIRST);
    Credentials credentials = open("file:" + file);
    Files.delete(file);
    nanos.addAndGet(2_000_000_000L);
    assertThat(credentials.get("api-key").reveal()).isEqualTo(FIRST);
    Files.writeString(file, "short");
    nanos.addAndGet(2_000_000_000L);
    assertThat(credentials.get("api-key").reveal()).isEqualTo(FIRST);
  }

  @Test
  void whatCannotBeRead_isNamed_neverShown() throws IOException {
    assertThatThrownBy(() -> open("env:NOPE")).hasMessageContaining("env:NOPE");
    assertThatThrownBy(() -> open("file:" + folder.resolve("none")))
        .hasMessageContaining("secret api-key")
        .hasMessageContaining("none");
    assertThatThrownBy(() -> open(FIRST))
        .hasMessageContaining("env: or file:")
        .hasMessageNotContaining(FIRST);
    Path file = Files.writeString(folder.resolve("bad"), "two words here");
    assertThatThrownBy(() -> open("file:" + file)).hasMessageNotContaining("two words");
  }

  @Test
  void whatIsMadeFromThem_isRedactedToo() {
    Credentials credentials = open("env:KEY");
    credentials.issued(Secret.of("token.made.from.it"));
    credentials.issued(Secret.of("token.made.from.it"));
    assertThat(credentials.redactor().redact("Bearer token.made.from.it " + FIRST))
        .isEqualTo("Bearer [redacted] [redacted]");
  }

  @Test
  void unknownName_isRefused() {
    assertThatThrownBy(() -> open("env:KEY").get("other")).hasMessageContaining("'other'");
  }

  @Test
  void nothingShowsIt() {
    Credentials credentials = open("env:KEY");
    assertThat(credentials.get("api-key").toString()).doesNotContain(FIRST);
  }
}
